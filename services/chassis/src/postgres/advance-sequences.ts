import type { Queryable } from './pool.ts';

/**
 * Advances every sequence by a partition's size, so that no number issued after the restored moment
 * is issued again. Returns the number of sequences.
 */
export async function advanceSequences(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ skipped: number }>('select advance_sequences() as skipped');
  return rows[0]?.skipped ?? 0;
}
