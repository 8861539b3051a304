import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createModelGuard } from '../endpoint/model-guard.ts';
import { cosine } from '../ranking/fuse.ts';
import type { FindSimilarities } from '../ranking/similarities.ts';
import type { Embedder } from './embedder.ts';
import { quantise } from './observation-vector.ts';
import { readVectors } from './vector-table.ts';

/** Longer queries are truncated to this many UTF-16 units. */
const QUERY = 2000;

export interface SimilaritySettings {
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/**
 * Compares the query's vector with those of observations. Any failure leaves the ranking to words.
 */
export function createFindSimilarities(
  { db, embedder }: { readonly db: Queryable; readonly embedder: Embedder },
  settings: SimilaritySettings,
  tools: { readonly clock: Clock; readonly logger: Logger },
): FindSimilarities {
  const guard = createModelGuard({
    name: 'the embedder',
    counter: {
      name: 'ces.search.vector_rankings',
      description: 'Searches that vectors were to order, by outcome; all but reordered were left to words.',
    },
    ...settings,
    ...tools,
  });
  return async (query, observationIds, bounds) => {
    const ask = async (signal: AbortSignal) => {
      const texts = [query.slice(0, QUERY).toWellFormed()];
      const [embedded = new Float32Array()] = await embedder.embed(texts, 'query', signal);
      const vectors = await readVectors(db, observationIds, embedder.model);
      const asked = quantise(embedded);
      const comparable = [...vectors].filter(([, vector]) => vector.length === asked.length);
      return new Map(comparable.map(([id, vector]) => [id, cosine(asked, vector)]));
    };
    const isIndifferent = (cosines: ReadonlyMap<bigint, number>) => cosines.size === 0;
    const cosines = await guard.ask(ask, { ...bounds, isIndifferent });
    return cosines && !isIndifferent(cosines) ? { model: embedder.model, cosines } : undefined;
  };
}
