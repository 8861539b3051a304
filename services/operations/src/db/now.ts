import type { Queryable } from '@ces/chassis/postgres/pool';

export async function readNow(db: Queryable): Promise<Date> {
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  if (!rows[0]) throw new Error('a clock has one row');
  return rows[0].now;
}
