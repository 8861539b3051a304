import { inTransaction, inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { Serialized } from './serialized.ts';

/** Which companies and events are one changes only under this lock. */
const RESOLUTION_LOCK = 7_304_118_202n;

/**
 * Runs a writer that decides which companies or events are one, in a transaction that takes the lock exclusively before any
 * other: two of them never decide side by side.
 */
export async function withResolutionLock<T>(
  { pool, serialized }: { readonly pool: Pool; readonly serialized: Serialized },
  work: (client: Queryable) => Promise<T>,
): Promise<T> {
  return await serialized(() =>
    inTransaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [RESOLUTION_LOCK]);
      return await work(client);
    }),
  );
}

/**
 * Runs any other writer, in a transaction that shares the lock before it takes any other: they run side by side, and
 * canonical companies stay as they are until the end of each. `commit` as of `inTransactionAfter`.
 */
export async function withSharedResolutionLock<T>(
  pool: Pool,
  work: (client: Queryable, commit: () => void) => Promise<T>,
): Promise<T> {
  return await inTransactionAfter(
    pool,
    (client) => client.query('select pg_advisory_xact_lock_shared($1)', [RESOLUTION_LOCK]),
    (client, _locked, commit) => work(client, commit),
  );
}
