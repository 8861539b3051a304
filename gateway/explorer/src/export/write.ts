import type { Source } from '../session/client.ts';
import { COMPANY_COLUMNS, type CompanyPage, companyRows } from './company-rows.ts';
import { toCsv } from './csv.ts';
import { toJsonLines } from './json-lines.ts';

export function write(
  format: 'csv' | 'jsonl',
  pages: readonly CompanyPage[],
  sources: readonly Source[],
): { readonly type: string; readonly text: string } {
  if (format === 'jsonl') return { type: 'application/jsonl', text: toJsonLines(pages, sources) };
  return { type: 'text/csv', text: toCsv(COMPANY_COLUMNS, companyRows(pages, sources)) };
}
