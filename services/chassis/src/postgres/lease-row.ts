import type { Queryable } from './pool.ts';

/** A lease that seems longer is from before the database's clock was set back. */
export const LONGEST_LEASE_MS = 20_000;

/**
 * Undefined if another process holds it. Each acquisition, including a late renewal, raises the
 * fence. A process that only waits takes no locks and writes nothing.
 */
export async function acquireOrRenewLease(
  db: Queryable,
  name: string,
  holder: string,
  leaseMs: number,
): Promise<bigint | undefined> {
  const { rows } = await db.query<{ fence: bigint }>(
    `insert into lease as held (name, holder, fence, until)
     select $1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond'
      where not exists (
        select from lease
         where name = $1 and holder <> $2
           and until between clock_timestamp() and clock_timestamp() + $4 * interval '1 millisecond')
     on conflict on constraint lease_key do update
        set holder = excluded.holder,
            until = excluded.until,
            fence = held.fence + case when held.holder = excluded.holder and held.until > clock_timestamp() then 0 else 1 end
      where held.holder = excluded.holder
         or held.until not between clock_timestamp() and clock_timestamp() + $4 * interval '1 millisecond'
     returning fence`,
    [name, holder, leaseMs, LONGEST_LEASE_MS],
  );
  return rows[0]?.fence;
}

/** Another process can acquire it at once; no effect if one already has. */
export async function releaseLease(db: Queryable, name: string, holder: string): Promise<void> {
  await db.query(`update lease set until = '-infinity' where name = $1 and holder = $2`, [name, holder]);
}
