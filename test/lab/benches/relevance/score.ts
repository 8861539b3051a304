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

/** Figures of one query. All range from 0 to 1. */
export interface Scores {
  /** nDCG@10 over companies judged by their nested observations of the pool. */
  readonly ndcg: number;
  readonly recall: number;
  /** nDCG@10, but a relevant company counts regardless of its nested observations. */
  readonly ndcgById: number;
  /** nDCG@10 over nested observations of the pool. */
  readonly observations: number;
  /** Share of the first ten companies, of any source, with an observation of the requested kind. */
  readonly kinds: number;
}

/** Scores one ranking (test/results/search-quality.md, How it is measured). */
export function scoreQuery(
  { pool, relevantCompanies, relevantObservations }: Judgment,
  ranking: readonly RankedCompany[],
  factsOf: (observation: FileId) => ObservationFacts | undefined,
): Scores {
  const isAsked = (id: FileId) => factsOf(id)?.kind === pool.kind;
  const inPool = (id: FileId) => isAsked(id) && factsOf(id)?.source === pool.source;
  const isRelevant = (id: FileId) => relevantObservations.has(id);
  const judged = ranking.filter((company) => company.observation_ids.some(inPool));
  const gains = judged.map((company) => company.observation_ids.filter(inPool).some(isRelevant));
  const byId = judged.map((company) => relevantCompanies.has(company.id));
  const pooled = ranking.flatMap((company) => company.observation_ids).filter(inPool);
  const first = ranking.slice(0, 10);
  return {
    ndcg: ndcg(gains, relevantCompanies.size, 10),
    recall: share(gains.slice(0, 100).filter(Boolean).length, relevantCompanies.size),
    ndcgById: ndcg(byId, relevantCompanies.size, 10),
    observations: ndcg(pooled.map(isRelevant), relevantObservations.size, 10),
    kinds: share(first.filter(({ observation_ids: ids }) => ids.some(isAsked)).length, first.length),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
