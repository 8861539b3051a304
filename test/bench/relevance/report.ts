import { table } from '@ces/cli/output/table';
import { percentile } from '../support/figures.ts';
import { meanScores, type Scores } from './score.ts';

export interface Scored {
  readonly queryId: string;
  readonly family: string;
  readonly scores: Scores;
  readonly firstPageMs: number;
}

const TOTAL = 'all';

/** Mean figures a family and in total. */
export interface Row extends Scores {
  readonly family: string;
  readonly queries: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

export function reportRows(scored: readonly Scored[]): Row[] {
  const families = Map.groupBy(scored, (query) => query.family);
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
    ['family', 'queries', 'nDCG@10', 'recall@100', 'obs nDCG@10', 'obs relevant', 'kind P@10', 'p50 ms', 'p95 ms'],
    rows.map((row) => [
      row.family,
      row.queries,
      row.company_ndcg_10.toFixed(3),
      row.company_recall_100.toFixed(3),
      row.observation_ndcg_10.toFixed(3),
      row.observation_share.toFixed(3),
      row.kind_precision_10.toFixed(3),
      row.p50_ms,
      row.p95_ms,
    ]),
  );
}
