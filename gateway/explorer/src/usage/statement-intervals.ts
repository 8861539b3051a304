const DAY_MS = 86_400_000;

export const STATEMENT_INTERVALS = {
  period: 'This period so far',
  week: 'Last 7 days',
  month: 'Last 30 days',
  quarter: 'Last 90 days',
  custom: 'Days of my choice',
} as const;
export type StatementInterval = keyof typeof STATEMENT_INTERVALS;

export interface ChosenDays {
  readonly from: string;
  readonly to: string;
}

/** None for the current period. Undefined while the chosen days are no interval. */
export function askedInterval(
  interval: StatementInterval,
  { from, to }: ChosenDays,
  now: Date,
): { readonly since?: string; readonly until?: string } | undefined {
  if (interval === 'period') return {};
  if (interval !== 'custom') return { since: new Date(now.getTime() - DAYS[interval] * DAY_MS).toISOString() };
  if (from === '' || to === '' || from > to) return undefined;
  return { since: `${from}T00:00:00.000Z`, until: new Date(Date.parse(to) + DAY_MS).toISOString() };
}

const DAYS = { week: 7, month: 30, quarter: 90 } as const;
