const STAYS_OPEN = /supply schedules?\b|multiple[ -]award schedule|\bfss\b|\bschedule \d{2,3}\b|open season|on-?ramp/i;

export function staysOpen(...about: readonly (string | undefined)[]): boolean {
  return about.some((text) => text !== undefined && STAYS_OPEN.test(text));
}

export const NAMES_NO_REQUEST = 'the award names no number of one request';
export const SCHEDULE_STAYS_OPEN = 'the award is made under a schedule that stays open';
