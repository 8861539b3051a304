const DAY_MS = 86_400_000;

export const PERIODS = {
  day: { title: 'Last 24 hours', days: 1 },
  week: { title: 'Last 7 days', days: 7 },
  month: { title: 'Last 30 days', days: 30 },
  all: { title: 'Any time', days: undefined },
} as const;
export type Period = keyof typeof PERIODS;

/** Undefined: any time. To the minute, so that two reads soon share a query key. */
export function sinceOf(period: Period, now: Date): string | undefined {
  const { days } = PERIODS[period];
  if (days === undefined) return undefined;
  const minute = Math.floor(now.getTime() / 60_000) * 60_000;
  return new Date(minute - days * DAY_MS).toISOString();
}
