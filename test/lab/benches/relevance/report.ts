import { table } from '@ces/cli/output/table';
import { percentile } from '../../support/figures.ts';
import { meanScores, type Scores } from './score.ts';

export interface Scored {
  readonly queryId: string;
  readonly family: string;
  readonly scores: Scores;
  readonly firstPageMs: number;
}

const TOTAL = 'all';
/** Columns of the table. --json contains all figures. */
const TABLE: Partial<Record<keyof Scores, string>> = {
  company_ndcg_10: 'nDCG@10',
  company_recall_100: 'recall@100',
  company_ndcg_10_by_id: 'nDCG by id',
  company_recall_100_by_id: 'recall by id',
  observation_ndcg_10: 'obs nDCG@10',
  observation_share: 'obs relevant',
  kind_precision_10: 'kind P@10',
};
const COLUMNS = Object.keys(TABLE) as (keyof Scores)[];
const HEADINGS = Object.values(TABLE);

export interface Row extends Scores {
  readonly family: string;
  readonly queries: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

/**
 * Returns a row for each family and one for all. Queries of `cut` have their own rows, and the
 * total excludes them.
 */
export function reportRows(scored: readonly Scored[], cut: readonly Scored[] = []): Row[] {
  const families = Map.groupBy([...scored, ...cut], (query) => query.family);
  const names = [...families.keys()].sort();
  return [...names.map((name) => rowOf(name, families.get(name) ?? [])), rowOf(TOTAL, scored)];
}

function rowOf(family: string, scored: readonly Scored[]): Row {
  const times = scored.map((query) => query.firstPageMs);
  return {
    family,
    queries: scored.length,
    ...meanScores(scored.map((query) => query.scores)),
    p50_ms: Math.round(percentile(times, 0.5)),
    p95_ms: Math.round(percentile(times, 0.95)),
  };
}

export function reportText(rows: readonly Row[]): string {
  return table(
    ['family', 'queries', ...HEADINGS, 'p50 ms', 'p95 ms'],
    rows.map((row) => [
      row.family,
      row.queries,
      ...COLUMNS.map((name) => row[name].toFixed(3)),
      row.p50_ms,
      row.p95_ms,
    ]),
  );
}
