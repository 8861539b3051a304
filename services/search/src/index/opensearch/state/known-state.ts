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

/** The state, for whoever has to know it and for searches. */
export interface KnownState {
  /** As the node that leads says; rejects where none does. */
  ask(): Promise<IndexState>;
  /**
   * As searches go by it, which need no node that leads: while none is to be had, what was said last holds as long as the row stands where
   * it stood then. So no copy of a shard lacks what was written since, and no other generation is served. Rejects as `ask`
   * does where nothing holds.
   */
  recall(): Promise<IndexState>;
}

export function createKnownState(db: Queryable, clock: Clock, read: () => Promise<IndexState>): KnownState {
  let known: { readonly state: IndexState; readonly at: number } | undefined;
  const ask = async () => {
    const at = clock.now().getTime();
    const state = await read();
    known = { state, at };
    return state;
  };
  return {
    ask,
    async recall() {
      const asking = ask();
      const before = known;
      if (!before || clock.now().getTime() - before.at > KNOWN_FOR_MS) return await asking;
      const state = await inTime(asking);
      if (state) return state;
      const row = await readFeedRow(db);
      return stands(row, before.state.row) ? { ...before.state, row } : await asking;
    },
  };
}

/** Undefined where it takes long, or nobody is there who can say it now. */
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

function stands({ generation, live }: FeedRow, before: FeedRow): boolean {
  return (
    generation === before.generation &&
    live?.tx === before.live?.tx &&
    live?.seq === before.live?.seq &&
    live?.epoch === before.live?.epoch
  );
}
