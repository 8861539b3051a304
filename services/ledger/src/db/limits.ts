export interface Limits {
  windowSeconds?: bigint | undefined;
  windowRequestUnits?: bigint | undefined;
  weekRequestUnits?: bigint | undefined;
  periodRequestUnits?: bigint | undefined;
  windowDeliveredUnits?: bigint | undefined;
  weekDeliveredUnits?: bigint | undefined;
  periodDeliveredUnits?: bigint | undefined;
  pageLimit?: number | undefined;
}

export function limitValues(limits: Limits): readonly (bigint | number | null)[] {
  return [
    limits.windowSeconds ?? null,
    limits.windowRequestUnits ?? null,
    limits.weekRequestUnits ?? null,
    limits.periodRequestUnits ?? null,
    limits.windowDeliveredUnits ?? null,
    limits.weekDeliveredUnits ?? null,
    limits.periodDeliveredUnits ?? null,
    limits.pageLimit ?? null,
  ];
}

/** `own_`: the subscription's own; without it, in force. */
export type LimitRow<Prefix extends '' | 'own_' = ''> = Record<`${Prefix}${LimitColumn}`, bigint | null> &
  Record<`${Prefix}page_limit`, number | null>;

type LimitColumn =
  | 'window_seconds'
  | `${'window' | 'week' | 'period'}_request_units`
  | `${'window' | 'week' | 'period'}_delivered_units`;

export function toLimits(row: LimitRow): Limits {
  return {
    windowSeconds: row.window_seconds ?? undefined,
    windowRequestUnits: row.window_request_units ?? undefined,
    weekRequestUnits: row.week_request_units ?? undefined,
    periodRequestUnits: row.period_request_units ?? undefined,
    windowDeliveredUnits: row.window_delivered_units ?? undefined,
    weekDeliveredUnits: row.week_delivered_units ?? undefined,
    periodDeliveredUnits: row.period_delivered_units ?? undefined,
    pageLimit: row.page_limit ?? undefined,
  };
}

export function toOwnLimits(row: LimitRow<'own_'>): Limits {
  return {
    windowSeconds: row.own_window_seconds ?? undefined,
    windowRequestUnits: row.own_window_request_units ?? undefined,
    weekRequestUnits: row.own_week_request_units ?? undefined,
    periodRequestUnits: row.own_period_request_units ?? undefined,
    windowDeliveredUnits: row.own_window_delivered_units ?? undefined,
    weekDeliveredUnits: row.own_week_delivered_units ?? undefined,
    periodDeliveredUnits: row.own_period_delivered_units ?? undefined,
    pageLimit: row.own_page_limit ?? undefined,
  };
}
