import type { Queryable } from '@ces/chassis/postgres/pool';
import { readVectors } from '../../../../embedding/vector-table.ts';
import { cosine, weightBySimilarity } from '../../../../ranking/fuse.ts';
import type { QueryMeaning, RankingQuery } from '../../../../ranking/ranking.ts';
import { FOUND_BY_MEANING } from '../../../../ranking/weights.ts';
import { DIMENSIONS } from '../../indices/mapping.ts';
import { type Query, term } from '../query/query.ts';
import { bestObservations } from './found-observations.ts';
import { bestFirst, compareBest, type ScoredCompany } from './score-candidates.ts';

/** The most similar observations within the filters; none if the vector cannot be indexed. */
export function similarObservations(
  { vector, model }: QueryMeaning,
  filters: readonly Query[],
  findsFrom: number,
): object | undefined {
  if (vector.length !== DIMENSIONS || vector.every((value) => value === 0)) return undefined;
  const filter = { bool: { filter: [...filters, term('vector_model', model)] } };
  const query: Query = { knn: { vector: { vector: [...vector], k: FOUND_BY_MEANING, filter } } };
  /* Lucene's score of a cosine. */
  return { ...bestObservations(query, FOUND_BY_MEANING), min_score: (1 + findsFrom) / 2 };
}

/** Weighs what words and meaning found by stored vectors, and keeps the best companies. */
export async function orderByMeaning(
  db: Queryable,
  { model, vector, weight }: QueryMeaning,
  found: readonly ScoredCompany[],
  { companies, observationsPerCompany }: Pick<RankingQuery, 'companies' | 'observationsPerCompany'>,
): Promise<ScoredCompany[]> {
  const all = found.flatMap(({ observations }) => observations);
  const byId = new Map(all.map((one) => [BigInt(one.found.observationId), one]));
  const vectors = await readVectors(db, [...byId.keys()], model);
  const observations = [...byId].map(([id, one]) => {
    const stored = vectors.get(id);
    return { ...one, similarity: stored?.length === vector.length ? cosine(vector, stored) : undefined };
  });
  const ranks = weightBySimilarity(
    Float64Array.from(observations, ({ total }) => total),
    Float64Array.from(observations, ({ similarity = Number.NaN }) => similarity),
    weight,
  );
  const ranked = observations.map((one, at) => ({ ...one, rank: ranks[at] ?? 0 }));
  return [...Map.groupBy(ranked, (one) => one.found.companyId)]
    .map(([companyId, own]) => ({ companyId, observations: own.toSorted(bestFirst).slice(0, observationsPerCompany) }))
    .toSorted(compareBest)
    .slice(0, companies);
}
