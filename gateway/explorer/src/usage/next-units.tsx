import { useSecondsUntil, waitInWords } from '../errors/countdown.ts';
import { Instant } from '../ui/instant.tsx';
import type { LimitedInterval } from './rate-limit.ts';
import styles from './usage.module.css';
import type { AllowanceReport } from './use-allowance.ts';

export function NextUnits({ allowance: { report, rates, readAt } }: { readonly allowance: AllowanceReport }) {
  return (
    <section className={styles.card} aria-labelledby="next-units">
      <h3 id="next-units">When units become available</h3>
      <ul className={styles.next}>
        {rates && <NextOf name="window" interval={rates.window} readAt={readAt} />}
        {rates && <NextOf name="week" interval={rates.week} readAt={readAt} />}
        <li>
          The next period starts at <Instant at={report.subscription.current_period_end} />.
        </li>
      </ul>
    </section>
  );
}

interface NextOfProps {
  readonly name: string;
  readonly interval: LimitedInterval;
  readonly readAt: Date;
}

function NextOf({ name, interval: { resetSeconds }, readAt }: NextOfProps) {
  const at = new Date(readAt.getTime() + resetSeconds * 1_000);
  const seconds = useSecondsUntil(at);
  if (resetSeconds === 0) return <li>No units count in the {name} now.</li>;
  return (
    <li>
      The oldest unit leaves the {name} in <strong>{waitInWords(seconds)}</strong>, at <Instant at={at.toISOString()} />
      .
    </li>
  );
}
