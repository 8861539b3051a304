import { inTransaction, inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { Serialized } from './serialized.ts';

/** Groups of companies and events change only under it. */
const RESOLUTION_LOCK = 7_304_118_202n;

/** Takes the lock exclusively, before any other lock. */
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

/** Shares the lock, so that canonical companies stay the same until the transaction ends. */
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
