import { minuteOf } from '../words/dates.ts';
import styles from './instant.module.css';

export function Instant({ at }: { readonly at: string }) {
  return (
    <time className={styles.instant} dateTime={at} title={at}>
      {minuteOf(at)}
    </time>
  );
}
