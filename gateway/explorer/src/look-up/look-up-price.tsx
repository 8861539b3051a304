import { priceOf } from '@ces/client';
import { count } from '../words/units.ts';
import styles from './look-up.module.css';
import type { LookUpKind } from './look-up-call.ts';
import { splitCalls } from './split-calls.ts';
import { inputsOf } from './use-look-up.ts';

export function LookUpPrice({ kind, values }: { readonly kind: LookUpKind; readonly values: readonly string[] }) {
  const calls = splitCalls(values).map((part) => ({ part, price: priceOf.companyLookup(inputsOf(kind, part)) }));
  const requestUnits = calls.reduce((all, { price }) => all + price.requestUnits, 0);
  const deliveredUnits = calls.reduce((all, { price }) => all + price.deliveredUnits, 0);
  return (
    <div className={styles.price}>
      <p>Costs {atMost(requestUnits, deliveredUnits)}.</p>
      {calls.length > 1 && (
        <>
          <p>One call accepts at most 20, so this takes {calls.length} calls, one after the other:</p>
          <ol>
            {calls.map(({ part, price }) => (
              <li key={part[0]}>
                {part.length} {kind}: {atMost(price.requestUnits, price.deliveredUnits)}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function atMost(requestUnits: number, deliveredUnits: number): string {
  return `${count(requestUnits, 'request unit')} and at most ${count(deliveredUnits, 'delivered unit')}`;
}
