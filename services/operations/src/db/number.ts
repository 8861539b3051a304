import type { Queryable } from '@ces/chassis/postgres/pool';

/** The sequence never moves back. True when it was behind. Creates the partitions first. */
export async function skipOperationNumbers(db: Queryable, upTo: bigint): Promise<boolean> {
  await db.query('select prepare_operation_partitions($1)', [upTo]);
  const { rows } = await db.query<{ behind: boolean }>('select skip_operation_numbers($1) as behind', [upTo]);
  return rows[0]?.behind ?? false;
}
