import { metrics } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { MemorySearch } from '../index/postgres/memory-index/memory-search.ts';
import { startMemoryWorker } from '../index/postgres/memory-index/worker/start-memory-worker.ts';
import { createPostgresIndex } from '../index/postgres/postgres-index.ts';
import type { Engine, EngineOptions } from './engine.ts';

const MIB = 1_048_576;

/** Begins to load the memory index. The engine is ready when that is done. */
export function openPostgres(config: Config, options: EngineOptions): Engine {
  const { databaseUrl, postgresCaFile, postgresCertFile, postgresKeyFile, memoryIndexMib } = config;
  const tls = { postgresCaFile, postgresCertFile, postgresKeyFile };
  const { model, logger } = options;
  const directory = config.indexDirectory || undefined;
  const memory =
    memoryIndexMib > 0
      ? startMemoryWorker({ databaseUrl, tls, mostBytes: memoryIndexMib * MIB, model, directory }, logger)
      : undefined;
  const stopObserving = memory && observe(memory);
  return {
    index: createPostgresIndex({ ...options, keptMonths: config.keptMonths, memory }),
    lease: 'projector',
    ...(memory && { readiness: () => readinessOf(memory) }),
    async [Symbol.asyncDispose]() {
      stopObserving?.();
      await memory?.[Symbol.asyncDispose]();
    },
  };
}

function readinessOf(memory: MemorySearch) {
  const { isLoaded } = memory.state();
  return { ready: isLoaded, why: isLoaded ? 'the index is in memory' : 'the index is being loaded into memory' };
}

function observe(memory: MemorySearch): () => void {
  const meter = metrics.getMeter('ces');
  const size = meter.createObservableGauge('ces.search.memory_index.size', {
    unit: 'By',
    description: 'Size of the memory index of this process.',
  });
  const limit = meter.createObservableGauge('ces.search.memory_index.limit', {
    unit: 'By',
    description: 'Size that the memory index of this process may have.',
  });
  const leftOut = meter.createObservableGauge('ces.search.memory_index.left_out', {
    unit: '{observation}',
    description: 'Observations of the oldest months, which the memory index has no room for.',
  });
  const read: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) => {
    const state = memory.state();
    if (!state.isLoaded) return;
    result.observe(size, state.bytes);
    result.observe(limit, state.mostBytes);
    result.observe(leftOut, state.leftOut);
  };
  meter.addBatchObservableCallback(read, [size, limit, leftOut]);
  return () => meter.removeBatchObservableCallback(read, [size, limit, leftOut]);
}
