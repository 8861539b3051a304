import type { StatementEntry } from '@ces/client';
import { toCsv } from '../export/csv.ts';

const COLUMNS = [
  'usage_id',
  'request_key',
  'action',
  'settled_at',
  'kind',
  'reason',
  'request_units',
  'delivered_units',
  'fresh_evidence_units',
] as const;

export function statementCsv(entries: readonly StatementEntry[]): string {
  return toCsv(COLUMNS, entries);
}
