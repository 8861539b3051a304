import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Clock } from '@ces/chassis/service/clock';
import { type FeedRow, readFeedRow } from './feed-row.ts';
import type { IndexState } from './index-state.ts';

const WAIT_MS = 500;
/** Cluster managers are elected within seconds; a longer outage must become visible. */
const KNOWN_FOR_MS = 300_000;

export interface CachedIndexState {
  readFresh(): Promise<IndexState>;
  /**
   * Works without a cluster manager: the last state is valid while the feed row is unchanged,
   * because no copy then lacks later writes. Rejects like `readFresh` otherwise.
   */
  readCached(): Promise<IndexState>;
}

export function createCachedIndexState(db: Queryable, clock: Clock, read: () => Promise<IndexState>): CachedIndexState {
  let known: { readonly state: IndexState; readonly at: number } | undefined;
  const readFresh = async () => {
    const at = clock.now().getTime();
    const state = await read();
    known = { state, at };
    return state;
  };
  return {
    readFresh,
    async readCached() {
      const asking = readFresh();
      const before = known;
      if (!before || clock.now().getTime() - before.at > KNOWN_FOR_MS) return await asking;
      const state = await inTime(asking);
      if (state) return state;
      const row = await readFeedRow(db);
      return isUnchanged(row, before.state.row) ? { ...before.state, row } : await asking;
    },
  };
}

async function inTime(asking: Promise<IndexState>): Promise<IndexState | undefined> {
  const enough = new AbortController();
  const late = pause(WAIT_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  try {
    return await Promise.race([asking, late]);
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  } finally {
    enough.abort();
  }
}

function isUnchanged({ generation, live }: FeedRow, before: FeedRow): boolean {
  return (
    generation === before.generation &&
    live?.tx === before.live?.tx &&
    live?.seq === before.live?.seq &&
    live?.epoch === before.live?.epoch
  );
}
