import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Point } from '../operation/operation.ts';

/** Points at which an operation has not ended. */
const OPEN: readonly Point[] = ['created', 'withdrawing', 'held', 'running', 'stored', 'failing'];

export interface Unfinished {
  readonly point: Point;
  readonly count: number;
  /** Since the oldest of them was accepted; 0 when there are none. */
  readonly oldestSeconds: number;
}

/** The operations that have not ended, by every point: what stands between two steps, and what is worked on or waits. */
export async function countUnfinished(db: Queryable): Promise<Unfinished[]> {
  const { rows } = await db.query<{ point: Point; count: number; oldest: number }>(
    `with unfinished as (
       select point, created_at from operation where point in ('created', 'withdrawing', 'stored', 'failing')
       union all
       select o.point, o.created_at from job j join operation o on o.id = j.operation_id
       where o.point in ('held', 'running')
     )
     select open.point, count(u.created_at)::int as count,
       coalesce(extract(epoch from clock_timestamp() - min(u.created_at)), 0)::float8 as oldest
     from unnest($1::text[]) as open (point) left join unfinished u using (point) group by open.point`,
    [OPEN],
  );
  return rows.map(({ point, count, oldest }) => ({ point, count, oldestSeconds: oldest }));
}

/** For how long the job that has waited longest could have been taken, in seconds; 0 when none waits. */
export async function readOldestDue(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0))::float8 as seconds from job`,
  );
  return rows[0]?.seconds ?? 0;
}
