import { ConfigurationError } from '@ces/chassis/service/settings';
import type { Client } from '@opensearch-project/opensearch';
import { OpenSearchRefusal, unavailable } from '../client/failures.ts';
import { indexBody, LAYOUT, type ShardCounts } from './mapping.ts';
import {
  CORPORA,
  type Corpus,
  generationOf,
  indexName,
  indexPattern,
  readAlias,
  vectorAlias,
  writeAlias,
} from './names.ts';

export interface Indices {
  readonly client: Client;
  readonly prefix: string;
}

export interface Generations {
  /** Includes indices of incomplete generations. */
  readonly indices: readonly { readonly name: string; readonly generation: number; readonly isRead: boolean }[];
  /** A generation is writable if both its indices exist. */
  readonly complete: ReadonlySet<number>;
  readonly withVectors: ReadonlySet<number>;
  /** Undefined if not exactly one generation is searched. */
  readonly served: number | undefined;
  readonly newest: number;
}

/** The feed row is locked for at most 5 s. */
const ALIASES_MS = 3_000;

export async function readGenerations({ client, prefix }: Indices): Promise<Generations> {
  const { body } = await client.indices.getAlias({ index: CORPORA.map((corpus) => indexPattern(prefix, corpus)) });
  const found = CORPORA.flatMap((corpus) =>
    Object.entries(body).flatMap(([name, { aliases }]) => {
      const generation = generationOf(prefix, corpus, name);
      if (generation === undefined) return [];
      const isWritten = writeAlias(prefix, corpus, generation) in aliases;
      const hasVectors = vectorAlias(prefix, generation) in aliases;
      return [{ name, generation, isWritten, hasVectors, isRead: readAlias(prefix, corpus) in aliases }];
    }),
  );
  const read = found.filter(({ isRead }) => isRead).map(({ generation }) => generation);
  const isServed = read.length === CORPORA.length && new Set(read).size === 1;
  return {
    indices: found,
    complete: ofBoth(found.filter(({ isWritten }) => isWritten).map(({ generation }) => generation)),
    withVectors: new Set(found.filter(({ hasVectors }) => hasVectors).map(({ generation }) => generation)),
    served: isServed ? read[0] : undefined,
    newest: Math.max(0, ...found.map(({ generation }) => generation)),
  };
}

function ofBoth(generations: readonly number[]): ReadonlySet<number> {
  return new Set(generations.filter((one) => generations.filter((other) => other === one).length === CORPORA.length));
}

/** How a server without the k-NN plugin refuses its setting or its field. */
const WITHOUT_PLUGIN = /^(settings|mapper_parsing|illegal_argument)_exception$/;

/** Observations have vectors if the server has the k-NN plugin. */
export async function createGeneration(indices: Indices, generation: number, shardCounts: ShardCounts): Promise<void> {
  const create = (corpus: Corpus, hasVectors: boolean) =>
    createIndex(indices, corpus, generation, indexBody(corpus, shardCounts, hasVectors), hasVectors);
  await create('observation', true).catch(async (error: unknown) => {
    if (!(error instanceof OpenSearchRefusal && WITHOUT_PLUGIN.test(error.type))) throw error;
    await create('observation', false);
  });
  await create('company', false);
}

async function createIndex(
  { client, prefix }: Indices,
  corpus: Corpus,
  generation: number,
  body: object,
  hasVectors: boolean,
): Promise<void> {
  const names = [writeAlias(prefix, corpus, generation), ...(hasVectors ? [vectorAlias(prefix, generation)] : [])];
  const aliases = Object.fromEntries(names.map((name) => [name, {}]));
  const request = { index: indexName(prefix, corpus, generation), body: { ...body, aliases } };
  await client.indices.create(request as Parameters<typeof client.indices.create>[0]).catch((error: unknown) => {
    if (!(error instanceof OpenSearchRefusal && error.type === 'resource_already_exists_exception')) throw error;
  });
}

/** Switches both read aliases atomically and idempotently. Only the leader calls it. */
export async function serveGeneration(
  { client, prefix }: Indices,
  { indices }: Generations,
  generation: number,
): Promise<void> {
  const former = indices.filter((index) => index.isRead && index.generation !== generation);
  const { body } = await client.indices.updateAliases(
    {
      timeout: `${ALIASES_MS}ms`,
      cluster_manager_timeout: `${ALIASES_MS}ms`,
      body: {
        actions: [
          ...former.map(({ name }) => ({ remove: { index: name, alias: aliasOf(prefix, name) } })),
          ...CORPORA.map((corpus) => ({
            add: { index: indexName(prefix, corpus, generation), alias: readAlias(prefix, corpus) },
          })),
        ],
      },
    },
    { requestTimeout: ALIASES_MS },
  );
  if (!body.acknowledged) throw unavailable('not every node of OpenSearch has taken over the aliases');
}

function aliasOf(prefix: string, index: string): string {
  const isOf = (corpus: Corpus) => generationOf(prefix, corpus, index) !== undefined;
  return readAlias(prefix, isOf('company') ? 'company' : 'observation');
}

/** Always safe: numbers only grow, and no generation below the written one is searched again. */
export async function dropOlderGenerations(indices: Indices, generation: number): Promise<void> {
  const found = await readGenerations(indices);
  const index = found.indices.filter((one) => one.generation < generation && !one.isRead).map(({ name }) => name);
  if (index.length > 0) await indices.client.indices.delete({ index, ignore_unavailable: true });
}

/** Throws ConfigurationError if another release laid out the documents. */
export async function verifyLayout({ client, prefix }: Indices, generations: ReadonlySet<number>): Promise<void> {
  const index = [...generations].flatMap((generation) =>
    CORPORA.map((corpus) => indexName(prefix, corpus, generation)),
  );
  if (index.length === 0) return;
  const { body } = await client.indices.getMapping({ index, ignore_unavailable: true });
  const foreign = Object.entries(body).filter(([, { mappings }]) => mappings._meta?.layout !== LAYOUT);
  if (foreign.length === 0) return;
  throw new ConfigurationError([
    `The indices ${foreign.map(([name]) => name).join(', ')} in OpenSearch are of another release, which laid out documents otherwise. ` +
      `Set CES_SEARCH_OPENSEARCH_PREFIX, now ${prefix}, to another prefix, under which the index is rebuilt; or delete them.`,
  ]);
}
