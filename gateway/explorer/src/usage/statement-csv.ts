import type { StatementEntry } from '@ces/client';

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
  return [COLUMNS, ...entries.map((entry) => COLUMNS.map((name) => entry[name]))]
    .map((row) => row.join(','))
    .join('\r\n');
}
