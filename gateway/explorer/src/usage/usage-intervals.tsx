import { classes } from '../ui/classes.ts';
import type { Interval } from './intervals.ts';
import styles from './usage-plots.module.css';

interface UsageBarProps {
  readonly title: string;
  readonly interval: Interval;
}

const NUMBER = new Intl.NumberFormat('en-US');

export function UsageBar({ title, interval }: UsageBarProps) {
  const { used, held, left, limit, isCapped } = interval;
  const words = wordsOf(interval);
  return (
    <div className={styles.bar}>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        <span className={styles.left}>
          <strong>{NUMBER.format(left)}</strong> left of {NUMBER.format(limit)}
        </span>
      </div>
      <div className={styles.track} role="img" aria-label={`${title}: ${words}`}>
        <Part name="used" units={used} limit={limit} />
        <Part name="held" units={held} limit={limit} />
      </div>
      <p className={styles.words}>
        {words}
        {isCapped && '. Fewer units are left in the period, so the period is the limit'}
      </p>
    </div>
  );
}

function Part({
  name,
  units,
  limit,
}: {
  readonly name: 'used' | 'held';
  readonly units: number;
  readonly limit: number;
}) {
  if (units === 0) return null;
  return (
    <div
      className={classes(styles.part, styles[name])}
      style={{ flexBasis: `${Math.max(0.5, (100 * units) / limit)}%` }}
    />
  );
}

function wordsOf({ used, held, left, isCapped }: Interval): string {
  const atMost = isCapped ? 'at most ' : '';
  return `${atMost}${NUMBER.format(used)} used, ${NUMBER.format(held)} reserved by running operations, ${NUMBER.format(left)} left`;
}
