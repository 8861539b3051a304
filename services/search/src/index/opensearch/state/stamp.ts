import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { EngineMeter } from '../client/engine-meter.ts';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import { type Indices, readGenerations } from '../indices/generations.ts';
import { stampAlias, stampIndexName } from '../indices/names.ts';
import { STAMP, type Stamp } from './feed-row.ts';

// A node that the others have dropped keeps its copies of shards as they were, answers from them and says that nothing is missing.
// So whatever becomes visible leaves a number, higher than any before, in an index of one document that every node has a copy of; it
// is written when all copies that count have what it stands for, and Postgres keeps it with the position. Who answers with a lower
// one lacks something. So does who has it of a primary that another has followed since: that one writes for itself alone; or who does not
// know the alias that it is asked for by.

/** Where stamps are left. */
export interface StampPlaces extends Indices {
  readonly meter: EngineMeter;
}

const ID = 'only';
const ATTEMPTS = 10;
const TERM_BITS = 32n;
const ALIASES_KEPT = 32;
/** Longest write, in milliseconds: as long as a refresh. */
const WRITE_MS = 30_000;
/** The same while the row of the feed is locked: its transaction would be ended after 5 s. */
const LOCKED_MS = 3_000;
const BODY_OF_SEARCH = {
  size: 1,
  track_total_hits: false,
  seq_no_primary_term: true,
  docvalue_fields: ['stamp'],
  _source: false,
  stored_fields: '_none_',
};
const BODY_OF_INDEX = {
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

/** What a search asks a node for; the node's own copy answers where it has one. Nothing is found where it does not know the alias. */
export function stampSearch(prefix: string, stamp: Stamp | undefined) {
  return {
    header: { index: stampAlias(prefix, aliasOf(stamp?.term ?? 0n)), preference: '_local', ignore_unavailable: true },
    body: BODY_OF_SEARCH,
  };
}

/** A stamp as a search finds it. */
export interface FoundStamp {
  readonly _primary_term?: number;
  readonly fields?: { readonly stamp?: readonly (number | string)[] };
}

/** Whether who found this, by the alias of a stamp, has all that it stands for. */
export function carriesStamp(found: FoundStamp | undefined, { number, term }: Stamp): boolean {
  const [stamp] = found?.fields?.stamp ?? [];
  if (!found || stamp === undefined) return false;
  return BigInt(stamp) >= number && termOf(aliasOf(term), found) >= term;
}

/** Leaves a stamp for what has become visible until now; undefined where there is none yet, or no index for it, `unavailable` where the engine does not take it. */
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
 * Leaves a stamp by an alias that none was left by before, for which searches ask from then on. Nodes hear of such changes in their order: who knows it
 * has also heard which copies of shards the others have dropped until now, and who has not finds nothing by it. One process at a time. No index
 * is made for it where there is one: a cluster whose disks fill up makes none long before it refuses what is written.
 */
export async function leaveStampAnew(places: StampPlaces, pool: Pool): Promise<void> {
  const { client, prefix } = places;
  await inTransaction(pool, async (db) => {
    const former = await readAlias(db, 'for update');
    const { stamps } = await readGenerations(places);
    if (stamps.length === 0) await createStampIndex(places);
    const next = Math.max(former, ...stamps) + 1;
    /* By the former ones searches ask until this one is kept, and whose position is a moment old; by what broke off nobody does. */
    const outdated = stamps.filter((number) => number <= former - ALIASES_KEPT || number > former);
    const index = stampIndexName(prefix);
    const actions = [
      ...outdated.map((number) => ({ remove: { index, alias: stampAlias(prefix, number), must_exist: false } })),
      { add: { index, alias: stampAlias(prefix, next) } },
    ];
    await client.indices.updateAliases({ body: { actions } }, { requestTimeout: LOCKED_MS });
    const stamp = await leaveBy(places, db, next, LOCKED_MS);
    if (!stamp) throw unavailable('the index of the stamp is gone');
    await keepStamp(db, stamp);
  });
}

/**
 * In the transaction that moves the position, behind the row of the feed: searches ask for this stamp from now on. Another one that is higher
 * stands for it; `unavailable` where that is of another alias, which may have been made before what this one stands for.
 */
export async function keepStamp(db: Queryable, { number, term }: Stamp): Promise<void> {
  await db.query(
    `update ${STAMP} set number = $1, term = $2 where (term >> ${TERM_BITS}, number) < ($2::bigint >> ${TERM_BITS}, $1::bigint)`,
    [number, term],
  );
  if ((await readAlias(db)) !== aliasOf(term)) throw unavailable('the stamp has moved to another alias meanwhile');
}

async function leave(places: StampPlaces, db: Queryable, requestTimeout: number): Promise<Stamp | undefined> {
  const alias = await readAlias(db);
  return alias === 0 ? undefined : await leaveBy(places, db, alias, requestTimeout);
}

/** Undefined where the engine does not know the alias. */
async function leaveBy(
  places: StampPlaces,
  db: Queryable,
  alias: number,
  requestTimeout: number,
): Promise<Stamp | undefined> {
  let above = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const number = await takeNumber(db, above);
    try {
      return { number, term: termOf(alias, await put(places, { alias, number }, requestTimeout)) };
    } catch (error) {
      if (!(error instanceof OpenSearchRefusal)) throw error;
      if (error.type === 'index_not_found_exception') return undefined;
      if (error.type !== 'version_conflict_engine_exception') throw error;
    }
    above = await readNumber(places);
  }
  throw unavailable('OpenSearch takes no stamp: other processes leave higher ones');
}

/** The number of the alias that searches ask by; 0: no stamp was left yet. */
async function readAlias(db: Queryable, lock: 'for update' | '' = ''): Promise<number> {
  const { rows } = await db.query<{ term: bigint }>(`select term from ${STAMP} ${lock}`);
  return aliasOf(rows[0]?.term ?? 0n);
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

/** Writes a number by an alias, which has to be there; returns what has taken it. */
async function put(
  { client, meter, prefix }: StampPlaces,
  { alias, number }: { readonly alias: number; readonly number: bigint },
  requestTimeout: number,
): Promise<FoundStamp> {
  const { body } = await meter.time('refresh', () =>
    client.index(
      {
        index: stampAlias(prefix, alias),
        id: ID,
        require_alias: true,
        version: Number(number),
        version_type: 'external',
        refresh: true,
        body: { stamp: String(number) },
      },
      { requestTimeout },
    ),
  );
  return body;
}

/** The number of an alias and the term of the primary that has taken a stamp by it, as one number that only grows. */
function termOf(alias: number, { _primary_term = 0 }: FoundStamp): bigint {
  return (BigInt(alias) << TERM_BITS) + BigInt(_primary_term);
}

/** The number of the alias that a term is of. */
function aliasOf(term: bigint): number {
  return Number(term >> TERM_BITS);
}

/** The one that is there; 0 where none is. */
async function readNumber({ client, prefix }: Indices): Promise<bigint> {
  const { body: found } = await client.search({
    index: stampIndexName(prefix),
    ignore_unavailable: true,
    body: BODY_OF_SEARCH,
  });
  const [hit] = found.hits.hits as readonly FoundStamp[];
  return BigInt(hit?.fields?.stamp?.[0] ?? 0);
}

/** It may be there already, without an alias. */
async function createStampIndex({ client, prefix }: Indices): Promise<void> {
  try {
    await client.indices.create(
      { index: stampIndexName(prefix), body: BODY_OF_INDEX } as Parameters<typeof client.indices.create>[0],
      { requestTimeout: LOCKED_MS },
    );
  } catch (error) {
    if (!(error instanceof OpenSearchRefusal && error.type === 'resource_already_exists_exception')) throw error;
  }
}
