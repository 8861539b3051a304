import { inTransaction, inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { Serialized } from './serialized.ts';

/** The groups of companies and events change only under this lock. */
const RESOLUTION_LOCK = 7_304_118_202n;

/** For writers that change groups: takes the lock exclusively, before any other lock. */
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
 * Runs any other writer. Its transaction shares the lock, so canonical companies stay the same
 * until it ends. `inTransactionAfter` describes `commit`.
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
