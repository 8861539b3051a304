import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '@ces/chassis/postgres/pool';
import { applyChanges } from './apply-changes.ts';
import { bytesOf } from './copied-documents.ts';
import type { CopiedIndex } from './copied-index.ts';
import type { IndexVersion } from './index-version.ts';
import { loadIndex } from './load-index.ts';

/** A copy of the index in the memory of this process (decision 0137). */
export interface IndexCopy {
  /**
   * The copy, at least as new as a version; undefined while there is none, or none so new soon, or where it would take more
   * memory than it may. Whoever gets it must not wait for anything while using it.
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

/** How long a search waits for the copy to catch up, in milliseconds; then it asks the database, and the copy goes on. */
const WAIT_MS = 250;
/** Catching up with more documents, or for longer, in milliseconds, is work that searches do not wait for again soon. */
const MANY_CHANGED = 1_000;
/** A copy rests so many times as long as such work or a reading took: while much is written, it takes a tenth of the time at most. */
const REST = 9;
/** How long it rests at least where it could not be read, and where it was too large, in milliseconds. */
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
  let restsUntil = Number.NEGATIVE_INFINITY;
  const restFor = (ms: number) => {
    restsUntil = Math.max(restsUntil, performance.now() + ms);
  };
  const load = async (startedAt: number) => {
    if (copy && bytesOf(copy) > mostBytes / 2) copy = undefined;
    const loaded = await loadIndex(pool, mostBytes);
    copy = typeof loaded === 'string' ? undefined : loaded;
    restFor((performance.now() - startedAt) * REST);
    if (loaded === 'too large') restFor(TOO_LARGE_MS);
  };
  const catchUp = async (behind: CopiedIndex, startedAt: number) => {
    const changed = await applyChanges(pool, behind);
    const tookMs = performance.now() - startedAt;
    if (changed === undefined) copy = undefined;
    else if (bytesOf(behind) > mostBytes) {
      copy = undefined;
      if (!isMostlyDead(behind)) restFor(TOO_LARGE_MS);
    } else if (changed > MANY_CHANGED || tookMs > WAIT_MS) restFor(tookMs * REST);
  };
  const start = () => {
    if (work || performance.now() < restsUntil) return;
    const startedAt = performance.now();
    const run = !copy || isMostlyDead(copy) ? load(startedAt) : catchUp(copy, startedAt);
    const settled = run.catch((error: unknown) => {
      restFor(Math.max(FAILED_MS, (performance.now() - startedAt) * REST));
      onFailure(error);
    });
    work = inBackground(settled, () => {
      work = undefined;
    });
  };
  return {
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
