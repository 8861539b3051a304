import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { EngineMeter } from '../client/engine-meter.ts';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import { type Indices, readGenerations } from '../indices/generations.ts';
import { stampAlias, stampIndexName } from '../indices/names.ts';
import type { Stamp } from './feed-row.ts';
import type { IndexState } from './index-state.ts';
import { aliasOf, keepStamp, readAlias, takeNumber, termOf } from './stamp-row.ts';

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
const ALIASES_KEPT = 32;
/** Longest write, in milliseconds: as long as a refresh. */
const WRITE_MS = 30_000;
/** The same while the row of the feed is locked: its transaction would be ended after 5 s. */
const LOCKED_MS = 3_000;
const TAKEN_OVER_MS = 1_000;
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
  return BigInt(stamp) >= number && termOf(aliasOf(term), found._primary_term) >= term;
}

/** Leaves a stamp for what has become visible until now; undefined where there is none yet, or no index for it, `unavailable` where the engine does not take it. */
export async function leaveStamp(places: StampPlaces, db: Queryable): Promise<Stamp | undefined> {
  return await leave(places, db, { requestTimeout: WRITE_MS });
}

/**
 * In a transaction that has locked the row of the feed, where there is an index of stamps: leaves one, for which searches ask from then on; by another
 * alias where the one of the row is gone, or none was kept in it.
 */
export async function leaveStampInside(places: StampPlaces, db: Queryable): Promise<void> {
  const stamp = await leave(places, db, { requestTimeout: LOCKED_MS });
  if (stamp) await keepStamp(db, stamp);
  else await leaveByAnotherAlias(places, db);
}

/**
 * Leaves a stamp by an alias that none was left by before, for which searches ask from then on. Nodes hear of such changes in their order: who knows it
 * has also heard which copies of shards the others have dropped until now, and who has not finds nothing by it. One process at a time. No index
 * is made for it where there is one: a cluster whose disks fill up makes none long before it refuses what is written.
 */
export async function leaveStampAnew(places: StampPlaces, pool: Pool): Promise<void> {
  await inTransaction(pool, (db) => leaveByAnotherAlias(places, db));
}

/** The same where the engine has none of the alias that searches ask by, as after the database was restored: nobody would be believed until something is written. */
export async function replaceLostAlias(
  places: StampPlaces,
  pool: Pool,
  { row: { stamp }, generations: { stamps } }: IndexState,
): Promise<void> {
  const alias = aliasOf(stamp.term);
  if (alias > 0 && stamps.length > 0 && !stamps.includes(alias)) await leaveStampAnew(places, pool);
}

async function leaveByAnotherAlias(places: StampPlaces, db: Queryable): Promise<void> {
  const { client, prefix } = places;
  const former = await readAlias(db, 'for update');
  const { stamps } = await readGenerations(places);
  if (stamps.length === 0) await createStampIndex(places);
  const alias = Math.max(former, ...stamps) + 1;
  /* By the former ones searches ask until this one is kept, and whose position is a moment old; by what broke off nobody does. */
  const outdated = stamps.filter((number) => number <= former - ALIASES_KEPT || number > former);
  const index = stampIndexName(prefix);
  const actions = [
    ...outdated.map((number) => ({ remove: { index, alias: stampAlias(prefix, number), must_exist: false } })),
    { add: { index, alias: stampAlias(prefix, alias) } },
  ];
  /* Whoever has not taken it over when the time is up is passed over until then. */
  const times = { timeout: `${TAKEN_OVER_MS}ms`, cluster_manager_timeout: `${TAKEN_OVER_MS}ms` };
  await client.indices.updateAliases({ ...times, body: { actions } }, { requestTimeout: LOCKED_MS });
  const stamp = await leave(places, db, { alias, requestTimeout: LOCKED_MS });
  if (!stamp) throw unavailable('the index of the stamp is gone');
  await keepStamp(db, stamp);
}

/** By the alias of the row where none is named; undefined where there is none, or the engine does not know it. */
async function leave(
  places: StampPlaces,
  db: Queryable,
  { alias, requestTimeout }: { readonly alias?: number; readonly requestTimeout: number },
): Promise<Stamp | undefined> {
  let above = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { number, term } = await takeNumber(db, above);
    const by = alias ?? aliasOf(term);
    if (by === 0) return undefined;
    try {
      return { number, term: termOf(by, await put(places, { alias: by, number }, requestTimeout)) };
    } catch (error) {
      if (!(error instanceof OpenSearchRefusal)) throw error;
      if (error.type === 'index_not_found_exception') return undefined;
      if (error.type !== 'version_conflict_engine_exception') throw error;
    }
    above = await readNumber(places);
  }
  throw unavailable('OpenSearch takes no stamp: other processes leave higher ones');
}

/** Writes a number by an alias, which has to be there; returns the term of the primary that has taken it. */
async function put(
  { client, meter, prefix }: StampPlaces,
  { alias, number }: { readonly alias: number; readonly number: bigint },
  requestTimeout: number,
): Promise<number | undefined> {
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
  return body._primary_term;
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
