import type { Client } from '@opensearch-project/opensearch';
import type { CorpusStatistics } from '../../../../ranking/term-statistics.ts';
import { unavailable } from '../../client/failures.ts';
import { findShardRoutes, type ShardRoutes } from './shard-routes.ts';

export interface CountedCorpus extends CorpusStatistics {
  readonly with: ReadonlyMap<string, number>;
}

export type CountDocuments = (lexemes: readonly string[]) => Promise<CountedCorpus[]>;

const UNHEARD_OF = '.';

interface Vectors {
  readonly _index: string;
  readonly error?: unknown;
  readonly term_vectors?: {
    readonly text?: {
      readonly field_statistics?: { readonly doc_count: number; readonly sum_ttf: number };
      readonly terms: Readonly<Record<string, { readonly doc_freq?: number }>>;
    };
  };
}

/** Asks every shard; rejects if none answers. Counts include deleted documents until a merge. */
export function createCountDocuments(client: Client, aliases: readonly string[]): CountDocuments {
  let known: Promise<readonly ShardRoutes[]> | undefined;
  let indices = '';
  return async (lexemes) => {
    known ??= Promise.all(aliases.map((alias) => findShardRoutes(client, alias)));
    const found = await known.catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    /* The index does not exist yet, or a shard may return. */
    if (found.some(({ isWhole }) => !isWhole)) known = undefined;
    const routes = found.map((one) => one.routes);
    const asked = aliases.flatMap((alias, at) => (routes[at] ?? []).map((routing) => ({ _index: alias, routing })));
    if (asked.length === 0) return aliases.map(() => addUp([]));
    const { body } = await client.mtermvectors({
      body: { docs: asked.map((shard) => ({ ...shard, ...questionAbout(lexemes) })) } as never,
    });
    const { docs } = body as unknown as { readonly docs: readonly Vectors[] };
    const answered = [...new Set(docs.map(({ _index }) => _index))].join();
    /* Another generation is served, possibly with other shards. */
    if (answered !== indices) known = indices === '' ? known : undefined;
    indices = answered;
    let at = 0;
    return routes.map(({ length }) => {
      at += length;
      return addUp(docs.slice(at - length, at));
    });
  };
}

function questionAbout(lexemes: readonly string[]) {
  return {
    doc: { text: lexemes.join(' ') || UNHEARD_OF },
    fields: ['text'],
    term_statistics: true,
    field_statistics: true,
    positions: false,
    offsets: false,
    payloads: false,
  };
}

function addUp(shards: readonly Vectors[]): CountedCorpus {
  if (shards.length > 0 && shards.every(({ error }) => error !== undefined))
    throw unavailable('no shard of the index says how frequent words are');
  const texts = shards.flatMap((shard) => shard.term_vectors?.text ?? []);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const documents = sum(texts.map(({ field_statistics: size }) => size?.doc_count ?? 0));
  const words = sum(texts.map(({ field_statistics: size }) => size?.sum_ttf ?? 0));
  const found = new Map<string, number>();
  for (const { terms } of texts)
    for (const [lexeme, { doc_freq = 0 }] of Object.entries(terms))
      found.set(lexeme, (found.get(lexeme) ?? 0) + doc_freq);
  return { documents, meanLength: documents > 0 ? Math.max(1, words / documents) : 1, with: found };
}
