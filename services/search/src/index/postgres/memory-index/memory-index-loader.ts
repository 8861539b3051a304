import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import { applyChanges } from './loading/apply-changes.ts';
import { evictOldest } from './loading/evict-oldest.ts';
import { type IndexVersion, readIndexVersion } from './loading/index-version.ts';
import { loadIndex } from './loading/load-index.ts';
import { readNewVectors } from './loading/read-vectors.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { IndexFile } from './saved/index-file.ts';

type VersionOfIndex = Pick<IndexVersion, 'version' | 'vectors' | 'origin'>;

/** Manages the memory index of this process (decision 0021). */
export interface MemoryIndexLoader {
  readonly current: MemoryIndex | undefined;
  /** Undefined after `timeoutMs`; the work continues. Use the index without awaiting. */
  findAtLeast(wanted: VersionOfIndex, timeoutMs: number): Promise<MemoryIndex | undefined>;
  /** Loads the index and follows its changes until `signal` is aborted. Never rejects. */
  keepUp(signal: AbortSignal): Promise<void>;
}

export interface MemoryIndexLoaderOptions {
  readonly pool: Pool;
  /** Approximate. A load that replaces the index needs as much again meanwhile. */
  readonly mostBytes: number;
  readonly model: string | undefined;
  /** The first load reads it. It is kept up to date. */
  readonly file?: IndexFile | undefined;
  /** Called with the first of consecutive failures in the background. */
  readonly onFailure: (error: unknown) => void;
}

const FOLLOWED_EVERY_MS = 1_000;
/** Loads because of dead documents pause for this many times their duration. */
const REST = 9;
/** This share of dead documents triggers a load, but never at FEW_DEAD or fewer. */
const DEAD_SHARE = 0.25;
const FEW_DEAD = 10_000;

export function createMemoryIndexLoader(options: MemoryIndexLoaderOptions): MemoryIndexLoader {
  const { pool, mostBytes, model, file, onFailure } = options;
  let index: MemoryIndex | undefined;
  let isFileRead = false;
  let loadedAgainFrom = Number.NEGATIVE_INFINITY;
  let isFailing = false;
  const load = shared(async () => {
    const startedAt = performance.now();
    const saved = isFileRead ? undefined : await file?.read();
    isFileRead = true;
    const loaded = saved ?? (await loadIndex(pool, mostBytes, model));
    if (!loaded) return;
    evictOldest(loaded, mostBytes);
    index = loaded;
    loadedAgainFrom = performance.now() + (performance.now() - startedAt) * REST;
  });
  const catchUp = shared(async () => {
    const behind = index;
    if (!behind) return;
    const applied = await applyChanges(pool, behind);
    if (index !== behind) return;
    if (applied === undefined) index = undefined;
    else await readNewVectors(pool, behind);
    evictOldest(behind, mostBytes);
  });
  const keep = shared(async () => {
    if (index) await file?.keep(index);
  });
  const fail = (error: unknown) => {
    if (!isFailing) onFailure(error);
    isFailing = true;
  };
  const follow = async () => {
    const newest = await readIndexVersion(pool);
    if (index && index.origin !== newest.origin) index = undefined;
    if (!index) await load();
    else if (!hasReached(index, newest)) await catchUp();
    if (index && isMostlyDead(index) && performance.now() >= loadedAgainFrom) void load().catch(fail);
    void keep();
    isFailing = false;
  };
  return {
    get current() {
      return index;
    },
    async findAtLeast(wanted, timeoutMs) {
      const until = performance.now() + timeoutMs;
      for (;;) {
        if (index && index.origin !== wanted.origin) index = undefined;
        if (index && hasReached(index, wanted)) return index;
        const work = index ? catchUp() : load();
        if (!(await endsBefore(work, until))) return undefined;
      }
    },
    async keepUp(signal) {
      while (!signal.aborted) {
        await follow().catch(fail);
        await pause(FOLLOWED_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}

/** Callers during a run share it. */
function shared(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function endsBefore(work: Promise<void>, until: number): Promise<boolean> {
  const ended = new AbortController();
  const late = pause(Math.max(0, until - performance.now()), false, { ref: false, signal: ended.signal });
  return await Promise.race([work.then(() => true), late]).finally(() => {
    late.catch(() => undefined);
    ended.abort();
  });
}

function hasReached(index: MemoryIndex, wanted: Pick<VersionOfIndex, 'version' | 'vectors'>): boolean {
  return index.version >= wanted.version && (index.vectors?.version ?? wanted.vectors) >= wanted.vectors;
}

function isMostlyDead({ observations, companies }: MemoryIndex): boolean {
  const dead = observations.dead + companies.dead;
  return dead > FEW_DEAD && dead > (observations.size + companies.size) * DEAD_SHARE;
}
