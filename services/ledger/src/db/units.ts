import type { Amount, Units } from '../allowance/units.ts';

export type AmountRow = Record<'request_units' | 'delivered_units', bigint>;
/** Columns with a common beginning, such as `settled_request_units`. */
export type UnitsRow<Prefix extends string = ''> = Record<
  `${Prefix}${'request' | 'delivered' | 'fresh_evidence'}_units`,
  bigint
>;

export function toAmount(row: AmountRow): Amount {
  return { requestUnits: row.request_units, deliveredUnits: row.delivered_units };
}

export function toUnits<Prefix extends string>(row: UnitsRow<Prefix>, prefix: Prefix): Units {
  return {
    requestUnits: row[`${prefix}request_units`],
    deliveredUnits: row[`${prefix}delivered_units`],
    freshEvidenceUnits: row[`${prefix}fresh_evidence_units`],
  };
}
