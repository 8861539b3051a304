import type { Queryable } from './pool.ts';

/**
 * Moves every sequence on by a partition's worth, so that no number that was given after a restored moment is given again;
 * `skip_numbers` is a function of each schema. Returns how many sequences there are.
 */
export async function skipNumbers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ skipped: number }>('select skip_numbers() as skipped');
  return rows[0]?.skipped ?? 0;
}
