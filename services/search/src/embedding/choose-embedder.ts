import type { Logger } from '@ces/chassis/telemetry/log';
import type { Config } from '../config.ts';
import { endpointOf } from '../endpoint/endpoint.ts';
import type { Embedder } from './embedder.ts';
import { startEncoder } from './encoder/encoder.ts';
import { createEndpointEmbedder } from './endpoint-embedder.ts';

type EmbedderSettings = Pick<Config, 'embedder' | 'embeddingUrl' | 'embeddingModel' | 'embeddingKey'>;

const LOADED_WITHIN_MS = 60_000;

export interface Embedders extends AsyncDisposable {
  readonly queries: Embedder;
  readonly passages: Embedder;
}

export function chooseEmbedders(settings: EmbedderSettings, logger: Logger): Embedders | undefined {
  const { embedder, embeddingUrl: url, embeddingModel: model, embeddingKey: apiKey } = settings;
  if (url !== '') {
    const endpoint = createEndpointEmbedder(endpointOf('CES_SEARCH_EMBEDDING', { url, model, apiKey }));
    return { queries: endpoint, passages: endpoint, [Symbol.asyncDispose]: async () => undefined };
  }
  if (embedder === 'none') return undefined;
  const encoders = new AsyncDisposableStack();
  const queries = encoders.use(startEncoder({ logger, priority: 'foreground' }));
  const passages = encoders.use(startEncoder({ logger, priority: 'background' }));
  /* Loads the model before the first search. The encoder logs a failure. */
  queries.embed(['ready'], 'query', AbortSignal.timeout(LOADED_WITHIN_MS)).catch(() => undefined);
  return { queries, passages, [Symbol.asyncDispose]: () => encoders.disposeAsync() };
}
