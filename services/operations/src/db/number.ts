import type { Queryable } from '@ces/chassis/postgres/pool';

/** No operation gets a number up to `upTo` from now on. Never moves back; true when the numbering was behind. Room for what follows is made first. */
export async function skipOperationNumbers(db: Queryable, upTo: bigint): Promise<boolean> {
  await db.query('select prepare_operation_partitions($1)', [upTo]);
  const { rows } = await db.query<{ behind: boolean }>('select skip_operation_numbers($1) as behind', [upTo]);
  return rows[0]?.behind ?? false;
}
