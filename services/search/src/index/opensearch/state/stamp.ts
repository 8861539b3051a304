import type { Queryable } from '@ces/chassis/postgres/pool';
import type { EngineMeter } from '../client/engine-meter.ts';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import type { Indices } from '../indices/generations.ts';
import { stampAlias, stampIndexName } from '../indices/names.ts';
import { STAMP, type Stamp } from './feed-row.ts';

// A node that the others have dropped keeps its copies of shards as they were, answers from them and says that nothing is missing.
// So whatever becomes visible leaves a number, higher than any before, in an index of one document that every node has a copy of; it
// is written when all copies that count have what it stands for, and Postgres keeps it with the position. Who answers with a lower
// one lacks something. So does who has it of a primary that another has followed since: that one writes for itself alone.

/** Where stamps are left. */
export interface StampPlaces extends Indices {
  readonly meter: EngineMeter;
}

const ID = 'only';
const ATTEMPTS = 10;
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
  readonly fields?: { readonly stamp?: readonly (number | string)[] };
  readonly _primary_term?: number;
}

/** Whether who found this has all that a stamp stands for. */
export function hasStamp(found: FoundStamp | undefined, { number, term }: Stamp): boolean {
  const [stamp] = found?.fields?.stamp ?? [];
  return stamp !== undefined && BigInt(stamp) >= number && BigInt(found?._primary_term ?? 0) >= term;
}

/** Makes the index that holds the stamp, with its alias, where it is not. */
export async function createStampIndex({ client, prefix }: Indices): Promise<void> {
  const index = stampIndexName(prefix);
  const alias = stampAlias(prefix);
  await client.indices
    .create({ index, body: { ...BODY, aliases: { [alias]: {} } } } as Parameters<typeof client.indices.create>[0])
    .catch(async (error: unknown) => {
      if (!(error instanceof OpenSearchRefusal && error.type === 'resource_already_exists_exception')) throw error;
      await client.indices.updateAliases({ body: { actions: [{ add: { index, alias } }] } });
    });
}

/** Leaves a stamp for what has become visible until now; `unavailable` where the engine does not take it. */
export async function leaveStamp(places: StampPlaces, db: Queryable): Promise<Stamp> {
  return await leave(places, db, WRITE_MS);
}

/** In a transaction that has locked the row of the feed: leaves a stamp, for which searches ask from then on. */
export async function leaveStampInside(places: StampPlaces, db: Queryable): Promise<void> {
  await keepStamp(db, await leave(places, db, LOCKED_MS));
}

/** In the transaction that moves the position: searches ask for this stamp from now on. */
export async function keepStamp(db: Queryable, { number, term }: Stamp): Promise<void> {
  await db.query(`update ${STAMP} set number = $1, term = $2 where number < $1`, [number, term]);
}

async function leave(places: StampPlaces, db: Queryable, requestTimeout: number): Promise<Stamp> {
  let above = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const number = await takeNumber(db, above);
    const term = await places.meter.time('refresh', () => write(places, number, requestTimeout));
    if (term !== undefined) return { number, term };
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

/** The term of the primary that has taken it; undefined where a higher one, or the same, is there. */
async function write(places: StampPlaces, number: bigint, requestTimeout: number): Promise<bigint | undefined> {
  try {
    return await put(places, number, requestTimeout);
  } catch (error) {
    if (!(error instanceof OpenSearchRefusal)) throw error;
    if (error.type === 'version_conflict_engine_exception') return undefined;
    if (error.type !== 'index_not_found_exception') throw error;
    await createStampIndex(places);
    return await put(places, number, requestTimeout);
  }
}

async function put({ client, prefix }: Indices, number: bigint, requestTimeout: number): Promise<bigint> {
  const { body } = await client.index(
    {
      index: stampAlias(prefix),
      id: ID,
      require_alias: true,
      version: Number(number),
      version_type: 'external',
      refresh: true,
      body: { stamp: String(number) },
    },
    { requestTimeout },
  );
  return BigInt(body._primary_term);
}

/** The one that is there; 0 where none is. */
async function readNumber({ client, prefix }: Indices): Promise<bigint> {
  const { header, body } = stampSearch(prefix);
  const { index, ignore_unavailable } = header;
  const { body: found } = await client.search({ index, ignore_unavailable, body });
  const [hit] = found.hits.hits as readonly FoundStamp[];
  return BigInt(hit?.fields?.stamp?.[0] ?? 0);
}
