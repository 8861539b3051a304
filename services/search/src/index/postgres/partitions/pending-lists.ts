import { allowLongStatements } from '@ces/chassis/postgres/long-statements';
import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { FeedRange } from '../../observation-index.ts';

/**
 * It is the gin_pending_list_limit of an index that has caught up. While it is filling, the
 * server's 4 MB apply.
 */
const SHORT_LIST = '256kB';
/**
 * A range with this many documents predicts more, even at the end of the feed: the index keeps pace
 * with an import.
 */
const MANY = 250;

/**
 * Lets the pending lists of GIN indexes grow while more is expected, and otherwise keeps them
 * short.
 */
export interface PendingLists {
  /** Call it in the transaction that writes the range. */
  limitFor(client: Queryable, range: FeedRange, documents: number): Promise<void>;
  /** Flushes long lists if no more is expected, or if nothing came since the last call. */
  flushIfDue(): Promise<void>;
  isFilling(): boolean;
}

export function createPendingLists(pool: Pool): PendingLists {
  const filling = new Set<FeedRange['feed']>();
  /** These feeds of `filling` were read to their end. */
  const expecting = new Set<FeedRange['feed']>();
  let hasWritten = false;
  /** A previous process may have left long lists. */
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
