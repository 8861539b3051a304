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

/** In the order of statements. */
const COLUMNS = [
  ['windowSeconds', 'window_seconds'],
  ['windowRequestUnits', 'window_request_units'],
  ['weekRequestUnits', 'week_request_units'],
  ['periodRequestUnits', 'period_request_units'],
  ['windowDeliveredUnits', 'window_delivered_units'],
  ['weekDeliveredUnits', 'week_delivered_units'],
  ['periodDeliveredUnits', 'period_delivered_units'],
  ['pageLimit', 'page_limit'],
] as const satisfies readonly (readonly [keyof Limits, string])[];

export function limitValues(limits: Limits): readonly (bigint | number | null)[] {
  return COLUMNS.map(([name]) => limits[name] ?? null);
}

/** `own_`: the subscription's own; without it, in force. */
export type LimitRow<Prefix extends '' | 'own_' = ''> = Record<
  `${Prefix}${(typeof COLUMNS)[number][1]}`,
  bigint | number | null
>;

export function toLimits<Prefix extends '' | 'own_'>(row: LimitRow<Prefix>, prefix: Prefix): Limits {
  return Object.fromEntries(COLUMNS.map(([name, column]) => [name, row[`${prefix}${column}`] ?? undefined]));
}
