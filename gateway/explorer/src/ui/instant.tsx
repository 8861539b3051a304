import { minuteOf } from '../words/dates.ts';
import styles from './instant.module.css';

/** Shows an instant to the minute in UTC; the title has it to the millisecond. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time className={styles.instant} dateTime={at} title={at}>
      {minuteOf(at)}
    </time>
  );
}
