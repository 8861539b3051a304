import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { EngineMeter } from '../client/engine-meter.ts';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import { type Indices, readGenerations } from '../indices/generations.ts';
import { stampAlias, stampIndexName, stampNumberOf, stampPattern } from '../indices/names.ts';
import { STAMP, type Stamp } from './feed-row.ts';

// A node that the others have dropped keeps its copies of shards as they were, answers from them and says that nothing is missing.
// So whatever becomes visible leaves a number, higher than any before, in an index of one document that every node has a copy of; it
// is written when all copies that count have what it stands for, and Postgres keeps it with the position. Who answers with a lower
// one lacks something. So does who has it of a primary that another has followed since: that one writes for itself alone; or of an index
// that another has followed.

/** Where stamps are left. */
export interface StampPlaces extends Indices {
  readonly meter: EngineMeter;
}

const ID = 'only';
const ATTEMPTS = 10;
const TERM_BITS = 32n;
/** Longest write, in milliseconds: as long as a refresh. */
const WRITE_MS = 30_000;
/** The same while the row of the feed is locked: its transaction would be ended after 5 s. */
const LOCKED_MS = 3_000;
const BODY = {
  settings: {
    index: {
      number_of_shards: 1,
      auto_expand_replicas: '0-all',
      refresh_interval: '-1',
      replication: { type: 'DOCUMENT' },
    },
  },
  mappings: { dynamic: 'strict', _source: { enabled: false }, properties: { stamp: { type: 'long' } } },
};

/** What a search asks a node for; the node's own copy answers where it has one. */
export function stampSearch(prefix: string) {
  return {
    header: { index: stampAlias(prefix), preference: '_local', ignore_unavailable: true },
    body: {
      size: 1,
      track_total_hits: false,
      seq_no_primary_term: true,
      docvalue_fields: ['stamp'],
      _source: false,
      stored_fields: '_none_',
    },
  };
}

/** A stamp as a search finds it. */
export interface FoundStamp {
  readonly _index?: string;
  readonly _primary_term?: number;
  readonly fields?: { readonly stamp?: readonly (number | string)[] };
}

/** Whether who found this has all that a stamp stands for. */
export function carriesStamp(prefix: string, found: FoundStamp | undefined, { number, term }: Stamp): boolean {
  const [stamp] = found?.fields?.stamp ?? [];
  if (!found || stamp === undefined) return false;
  return BigInt(stamp) >= number && termOf(prefix, found) >= term;
}

/** Leaves a stamp for what has become visible until now; undefined where there is no index for it, `unavailable` where the engine does not take it. */
export async function leaveStamp(places: StampPlaces, db: Queryable): Promise<Stamp | undefined> {
  return await leave(places, db, WRITE_MS);
}

/** In a transaction that has locked the row of the feed, where there is a stamp: leaves one, for which searches ask from then on. */
export async function leaveStampInside(places: StampPlaces, db: Queryable): Promise<void> {
  const stamp = await leave(places, db, LOCKED_MS);
  if (!stamp) throw unavailable('the index of the stamp is gone');
  await keepStamp(db, stamp);
}

/**
 * Leaves a stamp in an index that none was before, for which searches ask from then on. Nodes hear of such changes in their order: who knows it
 * has also heard which copies of shards the others have dropped until now, and who has not still looks into the former one. One process at a time.
 */
export async function leaveStampAnew(places: StampPlaces, pool: Pool): Promise<void> {
  const { client, prefix } = places;
  const alias = stampAlias(prefix);
  const former = await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ term: bigint }>(`select term from ${STAMP} for update`);
    const { stamps } = await readGenerations(places);
    const kept = Number((rows[0]?.term ?? 0n) >> TERM_BITS);
    const index = await createStampIndex(places, Math.max(kept, ...stamps) + 1);
    const number = await takeNumber(db, 0n);
    /* Before it is found by the alias: nobody is to find none. */
    const term = await put(places, { index, number }, LOCKED_MS);
    const remove = { index: stampPattern(prefix), alias, must_exist: false };
    await client.indices.updateAliases(
      { body: { actions: [{ remove }, { add: { index, alias } }] } },
      { requestTimeout: LOCKED_MS },
    );
    await keepStamp(db, { number, term });
    return stamps;
  });
  const names = former.map((one) => stampIndexName(prefix, one));
  if (names.length > 0) await client.indices.delete({ index: names, ignore_unavailable: true });
}

/**
 * In the transaction that moves the position, behind the row of the feed: searches ask for this stamp from now on. Another one that is higher
 * stands for it; `unavailable` where that is of another index, which may have been made before what this one stands for.
 */
export async function keepStamp(db: Queryable, { number, term }: Stamp): Promise<void> {
  await db.query(
    `update ${STAMP} set number = $1, term = $2 where (term >> ${TERM_BITS}, number) < ($2::bigint >> ${TERM_BITS}, $1::bigint)`,
    [number, term],
  );
  const { rows } = await db.query<{ term: bigint }>(`select term from ${STAMP}`);
  if ((rows[0]?.term ?? 0n) >> TERM_BITS !== term >> TERM_BITS)
    throw unavailable('the stamp has moved to another index meanwhile');
}

async function leave(places: StampPlaces, db: Queryable, requestTimeout: number): Promise<Stamp | undefined> {
  const index = stampAlias(places.prefix);
  let above = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const number = await takeNumber(db, above);
    try {
      return { number, term: await put(places, { index, number }, requestTimeout) };
    } catch (error) {
      if (!(error instanceof OpenSearchRefusal)) throw error;
      if (error.type === 'index_not_found_exception') return undefined;
      if (error.type !== 'version_conflict_engine_exception') throw error;
    }
    above = await readNumber(places);
  }
  throw unavailable('OpenSearch takes no stamp: other processes leave higher ones');
}

/** By the clock where that is ahead: a database that was restored gives none out again. */
async function takeNumber(db: Queryable, above: bigint): Promise<bigint> {
  const { rows } = await db.query<{ given: bigint }>(
    `update ${STAMP}
        set given = greatest(given + 1, $1::bigint + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) returning given`,
    [above],
  );
  const [row] = rows;
  if (!row) throw new Error(`the table ${STAMP} has lost its row`);
  return row.given;
}

/** Writes a number by an alias, or into an index; returns the term (`termOf`) of what has taken it. */
async function put(
  { client, meter, prefix }: StampPlaces,
  { index, number }: { readonly index: string; readonly number: bigint },
  requestTimeout: number,
): Promise<bigint> {
  const { body } = await meter.time('refresh', () =>
    client.index(
      {
        index,
        id: ID,
        require_alias: index === stampAlias(prefix),
        version: Number(number),
        version_type: 'external',
        refresh: true,
        body: { stamp: String(number) },
      },
      { requestTimeout },
    ),
  );
  return termOf(prefix, body);
}

/** The number of the index it is in and the term of the primary that has taken it, as one number that only grows. */
function termOf(prefix: string, { _index = '', _primary_term = 0 }: FoundStamp): bigint {
  return (BigInt(stampNumberOf(prefix, _index) ?? 0) << TERM_BITS) + BigInt(_primary_term);
}

/** The one that is there; 0 where none is. */
async function readNumber({ client, prefix }: Indices): Promise<bigint> {
  const { header, body } = stampSearch(prefix);
  const { index, ignore_unavailable } = header;
  const { body: found } = await client.search({ index, ignore_unavailable, body });
  const [hit] = found.hits.hits as readonly FoundStamp[];
  return BigInt(hit?.fields?.stamp?.[0] ?? 0);
}

/** The name of the index that was made, of the first number from one on that none bears. */
async function createStampIndex({ client, prefix }: Indices, first: number): Promise<string> {
  for (let number = first; ; number += 1) {
    const index = stampIndexName(prefix, number);
    try {
      await client.indices.create({ index, body: BODY } as Parameters<typeof client.indices.create>[0], {
        requestTimeout: LOCKED_MS,
      });
      return index;
    } catch (error) {
      const isThere = error instanceof OpenSearchRefusal && error.type === 'resource_already_exists_exception';
      if (!isThere || number - first === ATTEMPTS) throw error;
    }
  }
}
