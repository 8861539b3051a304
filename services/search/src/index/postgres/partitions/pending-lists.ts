import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { FeedRange } from '../../observation-index.ts';

/** New words that wait outside of an index that has caught up; while it is filled the server's own limit holds, 4 MB. */
const SHORT_LIST = '256kB';

/** Lets the pending lists of the GIN indexes grow while more is to come, and keeps them short otherwise (migration 0004). */
export interface PendingLists {
  /** Called in the transaction that writes the words of a range. */
  limitFor(client: Queryable, range: FeedRange): Promise<void>;
  /** Flushes long lists when nothing more is to come; ends at once when none can be long. */
  flushIfDue(): Promise<void>;
}

export function createPendingLists(pool: Pool): PendingLists {
  const filling = new Set<FeedRange['feed']>();
  /** A process before this one may have left some. */
  let areLong = true;
  let running: Promise<void> | undefined;
  const flush = async () => {
    if (!areLong || filling.size > 0) return;
    areLong = false;
    await inTransaction(pool, async (client) => {
      await allowLongStatements(client);
      await client.query('select flush_pending_lists()');
    }).catch((error: unknown) => {
      areLong = true;
      throw error;
    });
  };
  return {
    async limitFor(client, { feed, complete }) {
      if (complete) {
        filling.delete(feed);
        await client.query(`select set_config('gin_pending_list_limit', $1, true)`, [SHORT_LIST]);
      } else {
        filling.add(feed);
        areLong = true;
      }
    },
    flushIfDue() {
      running ??= flush().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
