import type { Queryable } from '@ces/chassis/postgres/pool';

/** Also starts a new partition each month. */
export async function preparePartitions(db: Queryable): Promise<void> {
  await db.query('select prepare_operation_partitions()');
  await db.query('select begin_operation_month()');
}

export async function dropPartitions(db: Queryable, keptMs: number): Promise<number> {
  const { rows } = await db.query<{ dropped: number }>(
    "select drop_operation_partitions(clock_timestamp() - $1 * interval '1 millisecond') as dropped",
    [keptMs],
  );
  return rows[0]?.dropped ?? 0;
}

/** Few: one for each search that its process did not survive. Returns how many. */
export async function deleteLostAttempts(db: Queryable, keptMs: number): Promise<number> {
  const { rowCount } = await db.query(
    "delete from lost_attempt where lost_at < clock_timestamp() - $1 * interval '1 millisecond'",
    [keptMs],
  );
  return rowCount ?? 0;
}

export async function countHeadroom(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ room: number }>(
    'select (max(last_number) - (select last_value from operation_id_seq))::float8 as room from operation_partition',
  );
  return rows[0]?.room ?? 0;
}
