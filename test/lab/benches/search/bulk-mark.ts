import type { Queryable } from '@ces/chassis/postgres/pool';
import { Refusal } from '@ces/cli/refusal';

/** Notes in an index that a bulk fill of it has begun and has not ended: it lacks rows, or its search indexes. */
export async function markBulkFill(owner: Queryable): Promise<void> {
  await owner.query('create table bulk_fill ()');
}

export async function unmarkBulkFill(owner: Queryable): Promise<void> {
  await owner.query('drop table bulk_fill');
}

/** A refusal where a bulk fill was broken off: neither a measurement nor another fill can go on from there. */
export async function refuseHalfFilled(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ marked: boolean }>(`select to_regclass('bulk_fill') is not null as marked`);
  if (rows[0]?.marked)
    throw new Refusal(
      'A bulk fill of this index was broken off: remove its directory, or name another, and start anew.',
    );
}
