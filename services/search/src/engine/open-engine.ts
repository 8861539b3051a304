import type { Pool } from '@ces/chassis/postgres/pool';
import type { Clock } from '@ces/chassis/service/clock';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Config } from '../config.ts';
import type { ObservationIndex } from '../index/observation-index.ts';
import { connectOpenSearch } from '../index/opensearch/client/connect.ts';
import { createOpenSearchIndex, verifyAtStart } from '../index/opensearch/opensearch-index.ts';
import { createPostgresIndex } from '../index/postgres/postgres-index.ts';
import { engineOf } from './engine-of.ts';

/** The index by the engine that is configured. */
export interface Engine extends AsyncDisposable {
  readonly index: ObservationIndex;
  /** Name of the lease of whoever writes to it: each engine has a projector of its own. */
  readonly lease: string;
}

export interface EngineOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Codes of states and provinces with their names. */
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly logger: Logger;
}

/** Opens the index; ConfigurationError where the settings of the engine do not go together, or its indices are of another release. */
export async function openEngine(config: Config, options: EngineOptions): Promise<Engine> {
  if (engineOf(config) === 'postgres')
    return {
      index: createPostgresIndex({ ...config, ...options }),
      lease: 'projector',
      [Symbol.asyncDispose]: async () => undefined,
    };
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
  return { index, lease: 'opensearch-projector', [Symbol.asyncDispose]: () => client.close() };
}
