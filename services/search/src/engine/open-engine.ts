import type { Config } from '../config.ts';
import { MEMORY_INDEX_CONNECTIONS } from '../index/postgres/memory-index/worker/messages.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { engineOf } from './engine-of.ts';
import { openPostgres } from './open-postgres.ts';

export function ownConnectionsOf(config: Config): number {
  return engineOf(config) === 'postgres' && config.memoryIndexMib > 0 ? MEMORY_INDEX_CONNECTIONS : 0;
}

/** Throws ConfigurationError on conflicting settings or indices of another release. */
export async function openEngine(config: Config, options: EngineOptions): Promise<Engine> {
  if (engineOf(config) === 'postgres') return openPostgres(config, options);
  /* The OpenSearch client costs 28 MiB and 0.5 s, so only installations that use it load it. */
  const { openOpenSearch } = await import('./open-opensearch.ts');
  return await openOpenSearch(config, options);
}
