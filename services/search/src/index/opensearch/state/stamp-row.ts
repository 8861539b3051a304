import type { Queryable } from '@ces/chassis/postgres/pool';
import { unavailable } from '../client/failures.ts';
import { STAMP, type Stamp } from './feed-row.ts';

// The row of the stamp, from which numbers are taken and which says what searches ask for.

const TERM_BITS = 32n;

/**
 * In the transaction that moves the position, behind the row of the feed: searches ask for this stamp from now on. A higher one stands for it, whatever its
 * alias: it was left after all copies had what this one stands for. `unavailable` where another alias has a lower one.
 */
export async function keepStamp(db: Queryable, { number, term }: Stamp): Promise<void> {
  await db.query(
    `update ${STAMP} set number = $1, term = $2 where (term >> ${TERM_BITS}, number) < ($2::bigint >> ${TERM_BITS}, $1::bigint)`,
    [number, term],
  );
  const kept = await readStamp(db);
  if (aliasOf(kept.term) !== aliasOf(term) && kept.number < number)
    throw unavailable('the stamp has moved to another alias meanwhile');
}

/** The number of the alias that searches ask by; 0: no stamp was left yet. */
export async function readAlias(db: Queryable, lock?: 'for update'): Promise<number> {
  return aliasOf((await readStamp(db, lock)).term);
}

async function readStamp(db: Queryable, lock: 'for update' | '' = ''): Promise<Stamp> {
  const { rows } = await db.query<Stamp>(`select number, term from ${STAMP} ${lock}`);
  return onlyRow(rows);
}

/** With the term that is kept then. By the clock where that is ahead: a database that was restored gives none out again. */
export async function takeNumber(db: Queryable, above: bigint): Promise<Stamp> {
  const { rows } = await db.query<Stamp>(
    `update ${STAMP}
        set given = greatest(given + 1, $1::bigint + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)
      returning given as number, term`,
    [above],
  );
  return onlyRow(rows);
}

function onlyRow<T>([row]: readonly T[]): T {
  if (!row) throw new Error(`the table ${STAMP} has lost its row`);
  return row;
}

/** The number of an alias and the term of the primary that has taken a stamp by it, as one number that only grows. */
export function termOf(alias: number, primaryTerm = 0): bigint {
  return (BigInt(alias) << TERM_BITS) + BigInt(primaryTerm);
}

/** The number of the alias that a term is of. */
export function aliasOf(term: bigint): number {
  return Number(term >> TERM_BITS);
}
