import type { Queryable } from '@ces/chassis/postgres/pool';
import { ENTRIES_A_STEP } from '../entry-total.ts';
import { ALL_TIME, findNextEntries, type Range } from '../range.ts';
import { findCounterDifferences } from './counters.ts';
import type { Difference } from './difference.ts';
import { findOversteppedLimits } from './overstepped-limits.ts';
import { findUnmatchedPostings } from './unmatched-postings.ts';
import { findWrongTotals } from './wrong-totals.ts';

export async function listForVerification(db: Queryable, afterId: bigint, limit: number): Promise<readonly bigint[]> {
  const { rows } = await db.query<{ id: bigint }>('select id from subscription where id > $1 order by id limit $2', [
    afterId,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

export async function countPostings(
  db: Queryable,
  subscriptionId: bigint,
): Promise<{ entries: bigint; holds: bigint }> {
  const { rows } = await db.query<{ entries: bigint; holds: bigint }>(
    `select (select count(*) from entry where subscription_id = $1) as entries,
            (select count(*) from hold where subscription_id = $1) as holds`,
    [subscriptionId],
  );
  return rows[0] ?? { entries: 0n, holds: 0n };
}

export async function findDifferences(db: Queryable, subscriptionId: bigint): Promise<readonly Difference[]> {
  const found = [...(await findCounterDifferences(db, subscriptionId))];
  for await (const range of rangesOf(db, subscriptionId))
    for (const find of [findWrongTotals, findUnmatchedPostings, findOversteppedLimits])
      found.push(...(await find(db, subscriptionId, range)));
  return found;
}

async function* rangesOf(db: Queryable, subscriptionId: bigint): AsyncGenerator<Range> {
  let after = ALL_TIME.after;
  for (;;) {
    const next = await findNextEntries(db, subscriptionId, after, ENTRIES_A_STEP);
    if (!next || next.entries < ENTRIES_A_STEP) break;
    yield next;
    after = next.until;
  }
  yield { after, until: ALL_TIME.until };
}
