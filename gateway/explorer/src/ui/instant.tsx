import { minuteOf } from '../words/dates.ts';
import styles from './instant.module.css';

/** An instant to the minute, in UTC as the interface has it; the title has it to the millisecond. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time className={styles.instant} dateTime={at} title={at}>
      {minuteOf(at)}
    </time>
  );
}
