import type { Queryable } from '@ces/chassis/postgres/pool';

/** Everything of old operations goes but the request key, which stays taken for ever (decision 0049). */
export async function retireOld(db: Queryable, retentionMs: number, count: number): Promise<number> {
  const { rowCount } = await db.query(
    `with old as (
       select id from operation
       where created_at < clock_timestamp() - $1 * interval '1 millisecond' and state in ('delivered', 'failed')
       limit $2 for update skip locked
     ), result_gone as (
       delete from result using old where operation_id = old.id
     ), shortlist_gone as (
       delete from shortlist using old where operation_id = old.id
     ), plan_gone as (
       delete from plan using old where operation_id = old.id
     )
     update operation set state = 'retired', normal_form = null, failure_code = null, failure_message = null
     from old where operation.id = old.id`,
    [retentionMs, count],
  );
  return rowCount ?? 0;
}
