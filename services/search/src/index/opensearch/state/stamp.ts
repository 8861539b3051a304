import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Client } from '@opensearch-project/opensearch';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import type { Indices } from '../indices/generations.ts';
import { stampAlias, stampIndexName } from '../indices/names.ts';
import { FEED } from './feed-row.ts';

// A node that the others have dropped keeps its copies of shards as they were, answers from them and says that nothing is missing.
// So whatever becomes visible leaves a number, higher than any before, in an index of one document that every node has a copy of; it
// is written when all copies that count have what it stands for, and Postgres keeps it with the position. Who answers with a lower
// one lacks something.

const ID = 'only';
const ATTEMPTS = 3;
/** Longest write, in milliseconds: as long as a refresh. */
const WRITE_MS = 30_000;
const BODY = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-all', refresh_interval: '-1' } },
  mappings: { dynamic: 'strict', _source: { enabled: false }, properties: { stamp: { type: 'long' } } },
};

/** What a search asks a node for; the node's own copy answers where it has one. */
export function stampSearch(prefix: string) {
  return {
    header: { index: stampAlias(prefix), preference: '_local', ignore_unavailable: true },
    body: { size: 1, track_total_hits: false, docvalue_fields: ['stamp'], _source: false, stored_fields: '_none_' },
  };
}

/** Makes the index that holds the stamp, where there is none. */
async function createStampIndex({ client, prefix }: Indices): Promise<void> {
  const body = { ...BODY, aliases: { [stampAlias(prefix)]: {} } };
  await client.indices
    .create({ index: stampIndexName(prefix), body } as Parameters<typeof client.indices.create>[0])
    .catch((error: unknown) => {
      if (!(error instanceof OpenSearchRefusal && error.type === 'resource_already_exists_exception')) throw error;
    });
}

/** Leaves a stamp for what has become visible until now, and returns it; `unavailable` where the engine does not take it. */
export async function leaveStamp(places: Indices, db: Queryable): Promise<bigint> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stamp = await takeStamp(db);
    if (await writeStamp(places, stamp)) return stamp;
  }
  throw unavailable('OpenSearch takes no stamp: another process leaves higher ones');
}

/** In the transaction that moves the position: searches ask for this stamp from now on. */
export async function keepStamp(db: Queryable, stamp: bigint): Promise<void> {
  await db.query(`update ${FEED} set stamped = greatest(stamped, $1)`, [stamp]);
}

/** By the clock where that is ahead: a database that was restored gives none out again. */
async function takeStamp(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ stamp: bigint }>(
    `update ${FEED} set stamp = greatest(stamp + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint) returning stamp`,
  );
  const [row] = rows;
  if (!row) throw new Error(`the table ${FEED} has lost its row`);
  return row.stamp;
}

/** False where a higher one, or the same, is there. */
async function writeStamp(places: Indices, stamp: bigint): Promise<boolean> {
  try {
    await put(places, stamp);
    return true;
  } catch (error) {
    if (!(error instanceof OpenSearchRefusal)) throw error;
    if (error.type === 'version_conflict_engine_exception') return false;
    if (error.type !== 'index_not_found_exception') throw error;
    await createStampIndex(places);
    await put(places, stamp);
    return true;
  }
}

async function put({ client, prefix }: { readonly client: Client; readonly prefix: string }, stamp: bigint) {
  await client.index(
    {
      index: stampAlias(prefix),
      id: ID,
      require_alias: true,
      version: Number(stamp),
      version_type: 'external',
      refresh: true,
      body: { stamp: String(stamp) },
    },
    { requestTimeout: WRITE_MS },
  );
}
