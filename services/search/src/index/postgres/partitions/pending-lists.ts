import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { FeedRange } from '../../observation-index.ts';

/** New words that wait outside of an index that has caught up; while it is filled the server's own limit holds, 4 MB. */
const SHORT_LIST = '256kB';
/** Documents of a range behind which more is expected, although it reaches the end of the feed: an index that keeps pace with an import. */
const MANY = 250;

/** Lets the pending lists of the GIN indexes grow while more is to come, and keeps them short otherwise. */
export interface PendingLists {
  /** Called in the transaction that writes the words of a range, of so many documents. */
  limitFor(client: Queryable, range: FeedRange, documents: number): Promise<void>;
  /** Flushes long lists when nothing more is to come, or nothing came since it was last asked; ends at once when none can be long. */
  flushIfDue(): Promise<void>;
  /** Whether more is to come. */
  isFilling(): boolean;
}

export function createPendingLists(pool: Pool): PendingLists {
  const filling = new Set<FeedRange['feed']>();
  /** Of them those that were read to their end. */
  const expecting = new Set<FeedRange['feed']>();
  let hasWritten = false;
  /** A process before this one may have left some. */
  let areLong = true;
  let running: Promise<void> | undefined;
  const flush = async () => {
    if (!hasWritten) for (const feed of expecting) filling.delete(feed);
    hasWritten = false;
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
    async limitFor(client, { feed, complete }, documents) {
      hasWritten = true;
      if (complete) expecting.add(feed);
      else expecting.delete(feed);
      if (complete && documents < MANY) {
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
    isFilling: () => filling.size > 0,
  };
}
