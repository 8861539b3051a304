import type { Queryable } from '@ces/chassis/postgres/pool';
import { Refusal } from '@ces/cli/refusal';

/** Marks an index whose bulk fill has not finished, so that it lacks rows or search indexes. */
export async function markBulkFill(owner: Queryable): Promise<void> {
  await owner.query('create table bulk_fill ()');
}

export async function unmarkBulkFill(owner: Queryable): Promise<void> {
  await owner.query('drop table bulk_fill');
}

/**
 * Throws if a bulk fill was interrupted, because neither a measurement nor another fill can
 * continue.
 */
export async function refuseHalfFilled(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ marked: boolean }>(`select to_regclass('bulk_fill') is not null as marked`);
  if (rows[0]?.marked)
    throw new Refusal(
      'A bulk fill of this index was broken off: remove its directory, or name another, and start anew.',
    );
}
