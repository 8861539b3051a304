import type { FileId } from '@ces/cli/import/fields';
import { ndcg } from '../relevance-index/measures.ts';

export interface Judgment {
  readonly queryId: string;
  readonly query: string;
  readonly family: string;
  readonly filters: Readonly<Record<string, unknown>>;
  /** Only observations of this source and kind were judged. */
  readonly pool: { readonly source: string; readonly kind: string };
  readonly relevantCompanies: ReadonlySet<FileId>;
  readonly relevantObservations: ReadonlySet<FileId>;
}

export interface RankedCompany {
  readonly id: FileId;
  readonly observation_ids: readonly FileId[];
}

export interface ObservationFacts {
  readonly source: string;
  readonly kind: string;
}

/** Figures of one query, or means over several. All range from 0 to 1. */
export interface Scores {
  /** nDCG@10 over companies judged by their nested observations of the pool. */
  readonly company_ndcg_10: number;
  readonly company_recall_100: number;
  /** The same figures, but a relevant company counts regardless of its nested observations. */
  readonly company_ndcg_10_by_id: number;
  readonly company_recall_100_by_id: number;
  readonly observation_ndcg_10: number;
  /** Share of relevant observations among all nested ones. */
  readonly observation_share: number;
  readonly observation_share_of_pool: number;
  /** Share of the first ten companies, of any source, with an observation of the requested kind. */
  readonly kind_precision_10: number;
}

/** Scores one ranking (test/results/search-quality.md, How it is measured). */
export function scoreQuery(
  judgment: Judgment,
  ranking: readonly RankedCompany[],
  factsOf: (observation: FileId) => ObservationFacts | undefined,
): Scores {
  const { pool, relevantCompanies, relevantObservations } = judgment;
  const inPool = (id: FileId) => factsOf(id)?.source === pool.source && factsOf(id)?.kind === pool.kind;
  const isRelevant = (id: FileId) => relevantObservations.has(id);
  const judged = ranking.filter((company) => company.observation_ids.some(inPool));
  const gains = judged.map((company) => company.observation_ids.filter(inPool).some(isRelevant));
  const nested = ranking.flatMap((company) => company.observation_ids);
  const pooled = nested.filter(inPool);
  const first = ranking.slice(0, 10);
  const carriers = first.filter(({ observation_ids: ids }) => ids.some((id) => factsOf(id)?.kind === pool.kind));
  const byId = judged.map((company) => relevantCompanies.has(company.id));
  return {
    company_ndcg_10: ndcg(gains, relevantCompanies.size, 10),
    company_recall_100: share(gains.slice(0, 100).filter(Boolean).length, relevantCompanies.size),
    company_ndcg_10_by_id: ndcg(byId, relevantCompanies.size, 10),
    company_recall_100_by_id: share(byId.slice(0, 100).filter(Boolean).length, relevantCompanies.size),
    observation_ndcg_10: ndcg(pooled.map(isRelevant), relevantObservations.size, 10),
    observation_share: share(nested.filter(isRelevant).length, nested.length),
    observation_share_of_pool: share(pooled.filter(isRelevant).length, pooled.length),
    kind_precision_10: share(carriers.length, first.length),
  };
}

export function meanScores(scores: readonly Scores[]): Scores {
  const mean = (name: keyof Scores) =>
    share(
      scores.reduce((sum, score) => sum + score[name], 0),
      scores.length,
    );
  return {
    company_ndcg_10: mean('company_ndcg_10'),
    company_recall_100: mean('company_recall_100'),
    company_ndcg_10_by_id: mean('company_ndcg_10_by_id'),
    company_recall_100_by_id: mean('company_recall_100_by_id'),
    observation_ndcg_10: mean('observation_ndcg_10'),
    observation_share: mean('observation_share'),
    observation_share_of_pool: mean('observation_share_of_pool'),
    kind_precision_10: mean('kind_precision_10'),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
