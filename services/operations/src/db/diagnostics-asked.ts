import type { Queryable } from '@ces/chassis/postgres/pool';

/** When the account already had `max` in this hour, returns the start of the next one. */
export async function countDiagnostic(db: Queryable, accountId: bigint, max: number): Promise<Date | undefined> {
  const { rows } = await db.query<{ full_until: Date | null }>(
    `with this as (
       select date_trunc('hour', clock_timestamp(), 'UTC') as hour
     ), counted as (
       insert into diagnostics_asked as asked (account_id, hour, count) select $1, hour, 1 from this
       on conflict (account_id) do update
         set hour = excluded.hour, count = case when asked.hour = excluded.hour then asked.count + 1 else 1 end
         where asked.hour <> excluded.hour or asked.count < $2
       returning 1
     )
     select case when not exists (select from counted) then hour + interval '1 hour' end as full_until from this`,
    [accountId, max],
  );
  return rows[0]?.full_until ?? undefined;
}
