import { Link } from 'wouter';
import { count } from '../words/units.ts';
import styles from './look-up.module.css';
import type { LookUpCall } from './look-up-call.ts';

export function LookUpCost({ calls }: { readonly calls: readonly LookUpCall[] }) {
  const usages = calls.flatMap(({ result }) => (result ? [result.usage] : []));
  const isReplayed = calls.every(({ state, replayed }) => state !== 'done' || replayed);
  const sum = (name: 'request_units' | 'delivered_units') => usages.reduce((all, usage) => all + usage[name], 0);
  return (
    <p className={styles.cost}>
      {isReplayed && <strong>Replayed: nothing was charged now. </strong>}
      {isReplayed ? 'The first run cost ' : 'It cost '}
      {count(sum('request_units'), 'request unit')} and {count(sum('delivered_units'), 'delivered unit')} (
      {usages.map(({ id }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={`/operations/${id}`}>operation {id}</Link>
        </span>
      ))}
      ).
    </p>
  );
}
