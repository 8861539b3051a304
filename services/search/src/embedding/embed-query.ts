import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import { createModelGuard } from '../endpoint/model-guard.ts';
import type { ModelBounds } from '../ranking/model-bounds.ts';
import type { Embedder } from './embedder.ts';
import { quantise } from './observation-vector.ts';

/** Longer queries are truncated to this many UTF-16 units. */
const QUERY = 2000;

export interface EmbeddingSettings {
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** Returns undefined if the embedder is busy, paused or fails: words then find and order alone. */
export type EmbedQuery = (query: string, bounds: ModelBounds) => Promise<Int8Array | undefined>;

export function createEmbedQuery(
  embedder: Embedder,
  settings: EmbeddingSettings,
  tools: { readonly clock: Clock; readonly logger: Logger },
): EmbedQuery {
  const guard = createModelGuard({
    name: 'the embedder',
    counter: {
      name: 'ces.search.vector_rankings',
      description: 'Searches that vectors were to order, by outcome; all but reordered were left to words.',
    },
    ...settings,
    ...tools,
  });
  return async (query, bounds) => {
    const ask = async (signal: AbortSignal) => {
      const [embedded = new Float32Array()] = await embedder.embed(
        [query.slice(0, QUERY).toWellFormed()],
        'query',
        signal,
      );
      return quantise(embedded);
    };
    return await guard.ask(ask, { ...bounds, isIndifferent: (vector) => vector.length === 0 });
  };
}
