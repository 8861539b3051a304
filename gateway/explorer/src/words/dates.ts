const DAY = new Intl.DateTimeFormat('en-CA', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const MINUTE = new Intl.DateTimeFormat('en-CA', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Days are UTC, as in the interface. */
export function dayOf(instant: string): string {
  return DAY.format(new Date(instant));
}

export function minuteOf(instant: string): string {
  return `${MINUTE.format(new Date(instant))} UTC`;
}
