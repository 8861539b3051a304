import type { Queryable } from '@ces/chassis/postgres/pool';
import { readVectors } from '../embedding/vector-table.ts';
import type { ObservationIndex } from '../index/observation-index.ts';
import { cosine } from '../ranking/fuse.ts';

/** For an engine without vectors: adds similarities by the stored vectors to what it found. */
export function compareStoredVectors(rank: ObservationIndex['rank'], db: Queryable): ObservationIndex['rank'] {
  return async (query) => {
    const ranking = await rank(query);
    const { meaning } = query;
    if (!meaning) return ranking;
    const ids = ranking.hits.map(({ observationId }) => observationId);
    const vectors = await readVectors(db, ids, meaning.model);
    const similarityOf = (id: bigint) => {
      const vector = vectors.get(id);
      return vector?.length === meaning.vector.length ? cosine(meaning.vector, vector) : undefined;
    };
    const hits = ranking.hits.map((hit) => {
      const similarity = similarityOf(hit.observationId);
      return similarity === undefined ? hit : { ...hit, relevance: { ...hit.relevance, similarity } };
    });
    return { ...ranking, hits };
  };
}
