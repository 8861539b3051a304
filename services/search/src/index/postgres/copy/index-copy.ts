import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import type { CopiedIndex } from './copied-index.ts';
import { applyChanges } from './reading/apply-changes.ts';
import { bytesOf } from './reading/copied-documents.ts';
import type { IndexVersion } from './reading/index-version.ts';
import { loadIndex } from './reading/load-index.ts';

/** A copy of the index in the memory of this process (decision 0021). */
export interface IndexCopy {
  /** Whether what is kept reaches back to a partition; also while nothing is known of that, since nothing is kept. */
  mayReachBack(partition: number): boolean;
  /**
   * The copy, at least as new as a version; undefined while there is none, or none so new soon, or where not even the newest
   * documents have room. Whoever gets it must not wait for anything while using it.
   */
  reach(wanted: Pick<IndexVersion, 'version' | 'origin'>): Promise<CopiedIndex | undefined>;
}

export interface IndexCopyOptions {
  readonly pool: Pool;
  /** Bounds what is kept, about, also while all is read anew. */
  readonly mostBytes: number;
  /** Told of what could not be read; the database answers meanwhile. */
  readonly onFailure: (error: unknown) => void;
}

/** How long a search waits for work on the copy, in milliseconds; then it asks the database, and the work goes on. */
const WAIT_MS = 250;
/** Catching up with more documents is work that searches do not ask for again soon; how long it takes says as much of others. */
const MANY_CHANGED = 200;
/** Reading all anew rests so many times as long as it took: while much is written, it takes a tenth of the time at most. */
const REST = 9;
/** Catching up with many takes half of the time at most: what one search takes in the database more is what a hundred documents take here. */
const CATCHING_UP_REST = 1;
/** Catching up is bounded, and longer only where it waited, for a lock perhaps: it rests no longer than this, in milliseconds. */
const LONGEST_REST_MS = 5_000;
/** How long it rests at least where it failed, and where companies alone left no room, in milliseconds. */
const FAILED_MS = 10_000;
const TOO_LARGE_MS = 600_000;
/** Share of dead documents from which all are read anew, and how many there may be anyway. */
const DEAD_SHARE = 0.25;
const FEW_DEAD = 10_000;

/** Work in the background, and when searches no longer wait for it. */
interface Work {
  readonly done: Promise<void>;
  readonly late: Promise<void>;
}

export function createIndexCopy({ pool, mostBytes, onFailure }: IndexCopyOptions): IndexCopy {
  let copy: CopiedIndex | undefined;
  let work: Work | undefined;
  const loading = createRest();
  const catchingUp = createRest();
  const load = async () => {
    if (copy && bytesOf(copy) > mostBytes / 2) copy = undefined;
    const loaded = await loadIndex(pool, mostBytes);
    copy = typeof loaded === 'string' ? undefined : loaded;
    if (loaded === 'too large') loading.restFor(TOO_LARGE_MS);
  };
  const catchUp = async (behind: CopiedIndex, tookMs: () => number) => {
    const changed = await applyChanges(pool, behind);
    if (changed === undefined || bytesOf(behind) > mostBytes) copy = undefined;
    if ((changed ?? 0) > MANY_CHANGED) catchingUp.restFor(Math.min(tookMs() * CATCHING_UP_REST, LONGEST_REST_MS));
  };
  const start = () => {
    const behind = copy && !(isMostlyDead(copy) && loading.isOver()) ? copy : undefined;
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
    mayReachBack: (partition) => copy === undefined || copy.from <= partition,
    async reach({ version, origin }) {
      if (copy && copy.origin !== origin) copy = undefined;
      const until = performance.now() + WAIT_MS;
      // What runs may have begun before the version was written.
      for (let turn = 0; turn < 3 && (!copy || copy.version < version); turn += 1) {
        start();
        if (!work || performance.now() >= until) return undefined;
        await Promise.race([work.done, work.late]);
      }
      return copy && copy.version >= version && copy.origin === origin ? copy : undefined;
    },
  };
}

/** Until when one kind of work is not begun again. */
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

function isMostlyDead({ observations, companies }: CopiedIndex): boolean {
  const dead = observations.dead + companies.dead;
  return dead > FEW_DEAD && dead > (observations.size + companies.size) * DEAD_SHARE;
}
