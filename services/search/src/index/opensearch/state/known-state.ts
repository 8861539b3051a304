import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Clock } from '@ces/chassis/service/clock';
import { type FeedRow, readFeedRow } from './feed-row.ts';
import type { IndexState } from './index-state.ts';

/** How long a search waits for what is known already, in milliseconds. */
const WAIT_MS = 500;
/** Nodes agree on another leader within seconds; that none leads for so many milliseconds is to be seen. */
const KNOWN_FOR_MS = 300_000;

/**
 * The state as searches go by it. Only the node that leads knows it, and searches need none: while it is not to be had, what was said
 * last holds as long as the row stands where it stood then. So no copy of a shard lacks what was written since, and no
 * other generation is served. Rejects as `ask` does where nothing holds.
 */
export function createKnownState(db: Queryable, clock: Clock, ask: () => Promise<IndexState>) {
  let known: { readonly state: IndexState; readonly at: number } | undefined;
  const learn = async () => {
    const at = clock.now().getTime();
    const state = await ask();
    known = { state, at };
    return state;
  };
  return async (): Promise<IndexState> => {
    const learning = learn();
    const before = known;
    if (!before || clock.now().getTime() - before.at > KNOWN_FOR_MS) return await learning;
    const state = await inTime(learning);
    if (state) return state;
    const row = await readFeedRow(db);
    return stands(row, before.state.row) ? { ...before.state, row } : await learning;
  };
}

/** Undefined where it takes long, or nobody is there who can say it now. */
async function inTime(learning: Promise<IndexState>): Promise<IndexState | undefined> {
  const enough = new AbortController();
  const late = pause(WAIT_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  try {
    return await Promise.race([learning, late]);
  } catch (error) {
    if (isTransient(error)) return undefined;
    throw error;
  } finally {
    enough.abort();
  }
}

function stands({ generation, live }: FeedRow, before: FeedRow): boolean {
  return (
    generation === before.generation &&
    live?.tx === before.live?.tx &&
    live?.seq === before.live?.seq &&
    live?.epoch === before.live?.epoch
  );
}
