import { type Interval, intervalsOf } from './intervals.ts';
import styles from './usage.module.css';
import { UsageBar } from './usage-intervals.tsx';
import type { AllowanceReport } from './use-allowance.ts';

const TITLES: Readonly<Record<Interval['unit'], string>> = {
  request: 'Request units',
  delivered: 'Delivered units',
};

export function AllowanceBars({ allowance: { report, rates } }: { readonly allowance: AllowanceReport }) {
  const intervals = intervalsOf(report, rates);
  return (
    <div className={styles.units}>
      {(['request', 'delivered'] as const).map((unit) => (
        <section key={unit} aria-labelledby={`units-${unit}`} className={styles.card}>
          <h3 id={`units-${unit}`}>{TITLES[unit]}</h3>
          {intervals
            .filter((interval) => interval.unit === unit)
            .map((interval) => (
              <UsageBar key={interval.name} title={nameOf(interval, rates?.window.lengthSeconds)} interval={interval} />
            ))}
          {unit === 'delivered' && (
            <p className={styles.hint}>
              The window also limits delivered units. The API does not report how many of them are left.
            </p>
          )}
        </section>
      ))}
    </div>
  );
}

function nameOf({ name }: Interval, windowSeconds = 0): string {
  if (name === 'week') return 'Rolling week';
  return name === 'period' ? 'Period' : `Rolling window of ${lengthInWords(windowSeconds)}`;
}

function lengthInWords(seconds: number): string {
  if (seconds % 3_600 === 0) return `${seconds / 3_600} hours`;
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}
