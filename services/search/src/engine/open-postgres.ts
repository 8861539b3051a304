import { metrics } from '@opentelemetry/api';
import type { Config } from '../config.ts';
import type { MemorySearch } from '../index/postgres/memory-index/memory-search.ts';
import { createPostgresIndex } from '../index/postgres/postgres-index.ts';
import type { Engine, EngineOptions } from './engine.ts';

/** Begins to load the memory index. The engine is ready when that is done. */
export function openPostgres(config: Config, options: EngineOptions): Engine {
  const index = createPostgresIndex({ ...config, ...options });
  const { memory } = index;
  const closing = new AbortController();
  const following = memory?.keepUp(closing.signal);
  const stopObserving = memory && observe(memory);
  return {
    index,
    lease: 'projector',
    partitions: 1,
    ...(memory && { readiness: () => readinessOf(memory) }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      stopObserving?.();
      await following;
    },
  };
}

function readinessOf(memory: Pick<MemorySearch, 'state'>) {
  const { isLoaded } = memory.state();
  return { ready: isLoaded, why: isLoaded ? 'the index is in memory' : 'the index is being loaded into memory' };
}

function observe(memory: Pick<MemorySearch, 'state'>): () => void {
  const meter = metrics.getMeter('ces');
  const size = meter.createObservableGauge('ces.search.memory_index.size', {
    unit: 'By',
    description: 'Size of the memory index of this process.',
  });
  const leftOut = meter.createObservableGauge('ces.search.memory_index.left_out', {
    unit: '{observation}',
    description: 'Observations of the oldest months, which the memory index has no room for.',
  });
  const read: Parameters<typeof meter.addBatchObservableCallback>[0] = (result) => {
    const state = memory.state();
    if (!state.isLoaded) return;
    result.observe(size, state.bytes);
    result.observe(leftOut, state.leftOut);
  };
  meter.addBatchObservableCallback(read, [size, leftOut]);
  return () => meter.removeBatchObservableCallback(read, [size, leftOut]);
}
