import type { Config } from '../config.ts';
import { createPostgresIndex } from '../index/postgres/postgres-index.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { engineOf } from './engine-of.ts';

/** Opens the index; ConfigurationError where the settings of the engine do not go together, or its indices are of another release. */
export async function openEngine(config: Config, options: EngineOptions): Promise<Engine> {
  if (engineOf(config) === 'postgres')
    return {
      index: createPostgresIndex({ ...config, ...options }),
      lease: 'projector',
      parts: 1,
      [Symbol.asyncDispose]: async () => undefined,
    };
  /* The client of OpenSearch takes 28 MiB and half a second, which nobody else need pay. */
  const { openOpenSearch } = await import('./open-opensearch.ts');
  return await openOpenSearch(config, options);
}
