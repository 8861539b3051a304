import { useRequestUnitsLeft } from '../session/allowance.ts';
import { priceOf } from '../session/client.ts';
import { useUsageReport } from '../session/usage-report.ts';
import { count, unitsInWords } from '../words/units.ts';
import styles from './price-line.module.css';

interface PriceLineProps {
  readonly id: string;
  readonly limit: string;
  readonly target: string;
  readonly invalid: boolean;
  readonly answered: boolean;
}

export function PriceLine({ id, limit, target, invalid, answered }: PriceLineProps) {
  if (invalid)
    return (
      <p id={id} className={styles.price}>
        Correct the marked fields to search.
      </p>
    );
  const { requestUnits, deliveredUnits } = priceOf.search({ limit: numberOf(limit), target: numberOf(target) });
  return (
    <p id={id} className={styles.price}>
      <strong>At most {unitsInWords({ request: requestUnits, delivered: deliveredUnits })}.</strong>{' '}
      {answered ? 'The answer is below; searching again charges again.' : <Left needed={deliveredUnits} />}
    </p>
  );
}

function Left({ needed }: { needed: number }) {
  const left = useRequestUnitsLeft();
  const { data } = useUsageReport();
  if (!left || !data) return null;
  const { limits, usage, reservations } = data;
  const delivered = limits.weekly_delivered_units - usage.weekly_delivered_units - reservations.delivered_units;
  return (
    <span>
      You have {count(left.window, 'request unit')} now, {left.week.toLocaleString('en-CA')} this week, and{' '}
      {count(delivered, 'delivered unit')} this week.
      {(left.window < 1 || delivered < needed) && ' That is not enough for this search.'}
    </span>
  );
}

function numberOf(text: string): number | undefined {
  return /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}
