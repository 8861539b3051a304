import type { CesClient, UsageReport, UsageStatement } from '@ces/client';
import { compare } from './statement.ts';

export interface WholeStatement {
  readonly statement: UsageStatement;
  /** The usage report of the current period; undefined for other intervals. */
  readonly report: UsageReport | undefined;
  readonly isCut: boolean;
}

const PAGE = 1_000;
const MOST_PAGES = 20;
const TRIES = 3;

/** Reads the current period's usage report too, again while units settle between the reads. */
export async function readStatement(
  ces: CesClient,
  interval: { readonly since?: string; readonly until?: string },
): Promise<WholeStatement> {
  for (let left = TRIES; ; left -= 1) {
    const whole = await readPages(ces, interval);
    if (interval.since !== undefined) return { ...whole, report: undefined };
    const report = await ces.getUsage();
    const { entries, totals } = whole.statement;
    const agrees = whole.isCut || compare(entries, totals, report.usage).every((one) => one.agrees);
    if (agrees || left === 1) return { ...whole, report };
  }
}

async function readPages(ces: CesClient, interval: object): Promise<Omit<WholeStatement, 'report'>> {
  const first = await ces.getStatement({ ...interval, limit: PAGE });
  const entries = [...first.entries];
  let cursor = first.next_cursor;
  for (let page = 1; cursor !== null && page < MOST_PAGES; page += 1) {
    const next = await ces.getStatement({ ...interval, limit: PAGE, cursor });
    entries.push(...next.entries);
    cursor = next.next_cursor;
  }
  return { statement: { ...first, entries, next_cursor: cursor }, isCut: cursor !== null };
}
