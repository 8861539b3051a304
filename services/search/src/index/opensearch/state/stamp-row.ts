import type { Queryable } from '@ces/chassis/postgres/pool';
import { unavailable } from '../client/failures.ts';
import { STAMP, type Stamp } from './feed-row.ts';

// One row holds the stamp that searches require and the sequence of its numbers.

const TERM_BITS = 32n;

/**
 * Stores the stamp that searches require from now on. Call it in the transaction that moves the
 * position, after the feed row is locked. A higher stored stamp covers this one, because all copies
 * had its data before. Throws `unavailable` if another alias has a lower one.
 */
export async function storeStamp(db: Queryable, { number, term }: Stamp): Promise<void> {
  await db.query(
    `update ${STAMP} set number = $1, term = $2 where (term >> ${TERM_BITS}, number) < ($2::bigint >> ${TERM_BITS}, $1::bigint)`,
    [number, term],
  );
  const kept = await readStamp(db);
  if (aliasOf(kept.term) !== aliasOf(term) && kept.number < number)
    throw unavailable('the stamp has moved to another alias meanwhile');
}

export async function readAlias(db: Queryable, lock?: 'for update'): Promise<number> {
  return aliasOf((await readStamp(db, lock)).term);
}

async function readStamp(db: Queryable, lock: 'for update' | '' = ''): Promise<Stamp> {
  const { rows } = await db.query<Stamp>(`select number, term from ${STAMP} ${lock}`);
  return onlyRow(rows);
}

/**
 * Returns a new number with the stored term. A clock that is ahead is used, so that a restored
 * database reissues no number.
 */
export async function nextStampNumber(db: Queryable, above: bigint): Promise<Stamp> {
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

/** Combines the alias number and the primary term into one increasing number. */
export function termOf(alias: number, primaryTerm = 0): bigint {
  return (BigInt(alias) << TERM_BITS) + BigInt(primaryTerm);
}

export function aliasOf(term: bigint): number {
  return Number(term >> TERM_BITS);
}
