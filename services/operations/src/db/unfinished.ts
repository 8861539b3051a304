import type { Queryable } from '@ces/chassis/postgres/pool';
import { isEnded, OPERATION_STATES, type OperationState } from '../model/operation.ts';

export interface Unfinished {
  readonly state: OperationState;
  readonly count: number;
  readonly oldestSeconds: number;
}

export async function countUnfinished(db: Queryable): Promise<Unfinished[]> {
  const { rows } = await db.query<Unfinished>(
    `with unfinished as (
       select o.state, o.created_at from job j join operation o on o.id = j.operation_id
     )
     select open.state, count(u.created_at)::int as count,
       coalesce(extract(epoch from clock_timestamp() - min(u.created_at)), 0)::float8 as "oldestSeconds"
     from unnest($1::text[]) as open (state) left join unfinished u using (state) group by open.state`,
    [OPERATION_STATES.filter((state) => !isEnded(state))],
  );
  return rows;
}

export async function readOldestDue(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select greatest(0, coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0))::float8 as seconds
     from job where publish_at < 'infinity'`,
  );
  return rows[0]?.seconds ?? 0;
}

/** Counts jobs in the queues of workers: as many as the stream has messages (decision 0003). */
export async function countWaiting(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    `select count(*)::int as waiting from job where ready and queue <> 'step'`,
  );
  return rows[0]?.waiting ?? 0;
}
