import type { QueryConfig } from 'pg';
import type { Queryable } from './pool.ts';

/** Name each column as a field of `Row`, in which null becomes undefined. */
export async function readRows<Row extends object>(
  db: Queryable,
  statement: string | QueryConfig,
  values?: unknown[],
): Promise<Row[]> {
  const { rows } = await db.query<Record<string, unknown>>(statement, values);
  return rows.map(
    (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as Row,
  );
}
