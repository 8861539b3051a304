import type { Queryable } from '@ces/chassis/postgres/pool';

/** Takes the next place in the queue of a host, over all processes; returns how long to wait for it, in milliseconds. */
export async function takeTurn(db: Queryable, host: string, intervalMs: number): Promise<number> {
  const { rows } = await db.query<{ wait_ms: number }>(
    `insert into host_pace as pace (host, next_at) values ($1, clock_timestamp() + $2 * interval '1 millisecond')
     on conflict on constraint host_pace_key
       do update set next_at = greatest(pace.next_at, clock_timestamp()) + $2 * interval '1 millisecond'
     returning extract(epoch from next_at - $2 * interval '1 millisecond' - clock_timestamp())::float8 * 1000 as wait_ms`,
    [host, intervalMs],
  );
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}
