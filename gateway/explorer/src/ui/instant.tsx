import { minuteOf } from '../words/dates.ts';

/** An instant to the minute, in UTC as the interface has it; the title has it to the millisecond. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {minuteOf(at)}
    </time>
  );
}
