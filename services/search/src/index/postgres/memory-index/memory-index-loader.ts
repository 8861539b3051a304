import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import { applyChanges } from './loading/apply-changes.ts';
import type { IndexVersion } from './loading/index-version.ts';
import { loadIndex } from './loading/load-index.ts';
import { bytesOf } from './loading/replace-documents.ts';
import type { MemoryIndex } from './memory-index.ts';

/** Manages the memory index of this process (decision 0021). */
export interface MemoryIndexLoader {
  /** Whether the loaded partitions may include `partition`. True while nothing is loaded. */
  mayInclude(partition: number): boolean;
  /**
   * Returns the memory index at `wanted.version` or newer. Returns undefined if it is absent or
   * cannot catch up in time. Callers must use it without awaiting.
   */
  findAtLeast(wanted: Pick<IndexVersion, 'version' | 'origin'>): Promise<MemoryIndex | undefined>;
}

export interface MemoryIndexLoaderOptions {
  readonly pool: Pool;
  /** The limit is approximate and also holds during a full load. */
  readonly mostBytes: number;
  readonly onFailure: (error: unknown) => void;
}

/** A search waits this many milliseconds for background work, which then continues. */
const WAIT_MS = 250;
/**
 * A rest follows when catching up with more documents than this. The duration predicts that of the
 * next.
 */
const MANY_CHANGED = 200;
/** A full load rests this many times its duration, so that it takes at most a tenth of the time. */
const REST = 9;
/**
 * Large catch-ups take at most half of the time. A search in the database costs as much as a
 * hundred documents here.
 */
const CATCHING_UP_REST = 1;
/** Limits the rest after a catch-up that waited, for example for a lock; in milliseconds. */
const LONGEST_REST_MS = 5_000;
/**
 * The rest is at least this long after a failure, and after companies left no memory, in
 * milliseconds.
 */
const FAILED_MS = 10_000;
const TOO_LARGE_MS = 600_000;
/** This share of dead documents triggers a full load, but never at FEW_DEAD or fewer. */
const DEAD_SHARE = 0.25;
const FEW_DEAD = 10_000;

/** `late` resolves when searches stop waiting for the work. */
interface Work {
  readonly done: Promise<void>;
  readonly late: Promise<void>;
}

export function createMemoryIndexLoader({ pool, mostBytes, onFailure }: MemoryIndexLoaderOptions): MemoryIndexLoader {
  let index: MemoryIndex | undefined;
  let work: Work | undefined;
  const loading = createRest();
  const catchingUp = createRest();
  const load = async () => {
    if (index && bytesOf(index) > mostBytes / 2) index = undefined;
    const loaded = await loadIndex(pool, mostBytes);
    index = typeof loaded === 'string' ? undefined : loaded;
    if (loaded === 'too large') loading.restFor(TOO_LARGE_MS);
  };
  const catchUp = async (behind: MemoryIndex, tookMs: () => number) => {
    const changed = await applyChanges(pool, behind);
    if (changed === undefined || bytesOf(behind) > mostBytes) index = undefined;
    if ((changed ?? 0) > MANY_CHANGED) catchingUp.restFor(Math.min(tookMs() * CATCHING_UP_REST, LONGEST_REST_MS));
  };
  const start = () => {
    const behind = index && !(isMostlyDead(index) && loading.isOver()) ? index : undefined;
    const rest = behind ? catchingUp : loading;
    if (work || !rest.isOver()) return;
    const startedAt = performance.now();
    const tookMs = () => performance.now() - startedAt;
    const run = (behind ? catchUp(behind, tookMs) : load().finally(() => loading.restFor(tookMs() * REST))).catch(
      (error: unknown) => {
        rest.restFor(Math.max(FAILED_MS, tookMs() * REST));
        onFailure(error);
      },
    );
    work = inBackground(run, () => {
      work = undefined;
    });
  };
  return {
    mayInclude: (partition) => index === undefined || index.from <= partition,
    async findAtLeast({ version, origin }) {
      if (index && index.origin !== origin) index = undefined;
      const until = performance.now() + WAIT_MS;
      // Work in progress may have begun before the version was written.
      for (let turn = 0; turn < 3 && (!index || index.version < version); turn += 1) {
        start();
        if (!work || performance.now() >= until) return undefined;
        await Promise.race([work.done, work.late]);
      }
      return index && index.version >= version && index.origin === origin ? index : undefined;
    },
  };
}

function createRest() {
  let until = Number.NEGATIVE_INFINITY;
  return {
    isOver: () => performance.now() >= until,
    restFor(ms: number) {
      until = Math.max(until, performance.now() + ms);
    },
  };
}

function inBackground(run: Promise<void>, onEnd: () => void): Work {
  const ended = new AbortController();
  const late = pause(WAIT_MS, undefined, { ref: false, signal: ended.signal }).catch(() => undefined);
  const done = run.finally(() => {
    onEnd();
    ended.abort();
  });
  return { done, late };
}

function isMostlyDead({ observations, companies }: MemoryIndex): boolean {
  const dead = observations.dead + companies.dead;
  return dead > FEW_DEAD && dead > (observations.size + companies.size) * DEAD_SHARE;
}
