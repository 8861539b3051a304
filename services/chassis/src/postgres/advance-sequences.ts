import type { Queryable } from './pool.ts';

/** Advances by a partition's size: no number from after the restored moment is issued again. */
export async function advanceSequences(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ skipped: number }>('select advance_sequences() as skipped');
  return rows[0]?.skipped ?? 0;
}
