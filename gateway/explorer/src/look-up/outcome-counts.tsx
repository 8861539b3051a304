import styles from './look-up.module.css';
import { countOutcomes, OUTCOMES, type Outcome } from './outcomes.ts';

export function OutcomeCounts({ lookups }: { readonly lookups: readonly { readonly status: Outcome }[] }) {
  return (
    <dl className={styles.outcomes}>
      {countOutcomes(lookups).map(([outcome, count]) => (
        <div key={outcome}>
          <dt>
            {OUTCOMES[outcome].title}: {count}
          </dt>
          <dd>{OUTCOMES[outcome].sentence}</dd>
        </div>
      ))}
    </dl>
  );
}
