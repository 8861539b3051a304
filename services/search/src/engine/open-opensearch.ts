import type { Config } from '../config.ts';
import { connectOpenSearch } from '../index/opensearch/client/connect.ts';
import { createOpenSearchIndex, verifyAtStart } from '../index/opensearch/opensearch-index.ts';
import type { Engine, EngineOptions } from './engine.ts';

export async function openOpenSearch(config: Config, options: EngineOptions): Promise<Engine> {
  const client = connectOpenSearch(config, options.logger);
  await verifyAtStart({ client, prefix: config.openSearchPrefix });
  const index = createOpenSearchIndex({
    ...options,
    client,
    prefix: config.openSearchPrefix,
    shards: config.openSearchShards,
    replicas: config.openSearchReplicas,
    timeoutMs: config.openSearchTimeoutMs,
    keptMonths: config.keptMonths,
  });
  return {
    index,
    lease: 'opensearch-projector',
    [Symbol.asyncDispose]: () => client.close(),
  };
}
