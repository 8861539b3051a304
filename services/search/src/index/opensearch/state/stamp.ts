import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import type { EngineMeter } from '../client/engine-meter.ts';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import { type Indices, readGenerations } from '../indices/generations.ts';
import { stampAlias, stampIndexName } from '../indices/names.ts';
import type { Stamp } from './feed-row.ts';
import type { IndexState } from './index-state.ts';
import { aliasOf, nextStampNumber, readAlias, storeStamp, termOf } from './stamp-row.ts';

// A node that the cluster dropped keeps old shard copies, answers from them and reports nothing
// missing. Therefore every visible write writes a stamp: an increasing number in a one-document
// index on every node. The stamp is written after all valid copies have the data, and Postgres
// stores it with the position. A node is stale if its stamp is lower, if its primary term is older,
// or if it does not know the alias. A replaced primary can still write, but only to itself.

export interface StampContext extends Indices {
  readonly meter: EngineMeter;
}

const ID = 'only';
const ATTEMPTS = 10;
const ALIASES_KEPT = 32;
/** A write may take as long as a refresh, in milliseconds. */
const WRITE_MS = 30_000;
/** A write must be shorter while the feed row is locked: its transaction may take at most 5 s. */
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

/**
 * Searches the node's own copy if it has one. A node that does not know the alias finds nothing.
 */
export function stampSearch(prefix: string, stamp: Stamp | undefined) {
  return {
    header: { index: stampAlias(prefix, aliasOf(stamp?.term ?? 0n)), preference: '_local', ignore_unavailable: true },
    body: BODY_OF_SEARCH,
  };
}

export interface FoundStamp {
  readonly _primary_term?: number;
  readonly fields?: { readonly stamp?: readonly (number | string)[] };
}

export function carriesStamp(found: FoundStamp | undefined, { number, term }: Stamp): boolean {
  const [stamp] = found?.fields?.stamp ?? [];
  if (!found || stamp === undefined) return false;
  return BigInt(stamp) >= number && termOf(aliasOf(term), found._primary_term) >= term;
}

/**
 * Writes a stamp for all visible writes. Returns undefined without an earlier stamp or without its
 * index. Throws `unavailable` if OpenSearch refuses it.
 */
export async function writeStamp(context: StampContext, db: Queryable): Promise<Stamp | undefined> {
  return await writeNext(context, db, { requestTimeout: WRITE_MS });
}

/**
 * Writes a stamp in a transaction that has locked the feed row. Uses a new alias if the stored one
 * is missing.
 */
export async function writeStampInTransaction(context: StampContext, db: Queryable): Promise<void> {
  const stamp = await writeNext(context, db, { requestTimeout: LOCKED_MS });
  if (stamp) await storeStamp(db, stamp);
  else await writeUnderNewAlias(context, db);
}

/**
 * Writes a stamp under a new alias, which searches require from then on. Nodes apply cluster state
 * in order: a node with the alias knows all copies dropped before, and others find nothing. One
 * process at a time. Reuses an existing index, because a cluster with full disks refuses new
 * indices before it refuses writes.
 */
export async function writeStampUnderNewAlias(context: StampContext, pool: Pool): Promise<void> {
  await inTransaction(pool, (db) => writeUnderNewAlias(context, db));
}

/**
 * Replaces an alias that OpenSearch lacks, for example after a database restore. Otherwise no node
 * would be trusted until the next write.
 */
export async function replaceLostAlias(
  context: StampContext,
  pool: Pool,
  { row: { stamp }, generations: { stamps } }: IndexState,
): Promise<void> {
  const alias = aliasOf(stamp.term);
  if (alias > 0 && stamps.length > 0 && !stamps.includes(alias)) await writeStampUnderNewAlias(context, pool);
}

async function writeUnderNewAlias(context: StampContext, db: Queryable): Promise<void> {
  const { client, prefix } = context;
  const former = await readAlias(db, 'for update');
  const { stamps } = await readGenerations(context);
  if (stamps.length === 0) await createStampIndex(context);
  const alias = Math.max(former, ...stamps) + 1;
  /*
   * Recent aliases stay for searches with an older position. Aliases above the stored one are from
   * interrupted attempts.
   */
  const outdated = stamps.filter((number) => number <= former - ALIASES_KEPT || number > former);
  const index = stampIndexName(prefix);
  const actions = [
    ...outdated.map((number) => ({ remove: { index, alias: stampAlias(prefix, number), must_exist: false } })),
    { add: { index, alias: stampAlias(prefix, alias) } },
  ];
  /* Searches skip nodes that have not applied the alias by the timeout. */
  const times = { timeout: `${TAKEN_OVER_MS}ms`, cluster_manager_timeout: `${TAKEN_OVER_MS}ms` };
  await client.indices.updateAliases({ ...times, body: { actions } }, { requestTimeout: LOCKED_MS });
  const stamp = await writeNext(context, db, { alias, requestTimeout: LOCKED_MS });
  if (!stamp) throw unavailable('the index of the stamp is gone');
  await storeStamp(db, stamp);
}

/** Uses the stored alias by default. Returns undefined if it does not exist. */
async function writeNext(
  context: StampContext,
  db: Queryable,
  { alias, requestTimeout }: { readonly alias?: number; readonly requestTimeout: number },
): Promise<Stamp | undefined> {
  let above = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { number, term } = await nextStampNumber(db, above);
    const by = alias ?? aliasOf(term);
    if (by === 0) return undefined;
    try {
      return { number, term: termOf(by, await put(context, { alias: by, number }, requestTimeout)) };
    } catch (error) {
      if (!(error instanceof OpenSearchRefusal)) throw error;
      if (error.type === 'index_not_found_exception') return undefined;
      if (error.type !== 'version_conflict_engine_exception') throw error;
    }
    above = await readNumber(context);
  }
  throw unavailable('OpenSearch takes no stamp: other processes write higher ones');
}

/** The alias must exist. Returns the primary term of the write. */
async function put(
  { client, meter, prefix }: StampContext,
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

async function readNumber({ client, prefix }: Indices): Promise<bigint> {
  const { body: found } = await client.search({
    index: stampIndexName(prefix),
    ignore_unavailable: true,
    body: BODY_OF_SEARCH,
  });
  const [hit] = found.hits.hits as readonly FoundStamp[];
  return BigInt(hit?.fields?.stamp?.[0] ?? 0);
}

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
