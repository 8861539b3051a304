import type { Clock } from '@ces/chassis/service/clock';
import type { Client } from '@opensearch-project/opensearch';
import { LRUCache } from 'lru-cache';
import type { CorpusStatistics, TermStatistics } from '../../../../ranking/term-statistics.ts';
import { lexemeOf } from '../../../../text/stem.ts';

/** What is known of the lexemes of both corpora. */
export interface WordStatistics {
  /** How frequent words are; those that the index leaves out are missing. */
  of(words: readonly string[]): Promise<TermStatistics>;
  /** Documents with each lexeme: observations and descriptions. */
  documentsWith(lexemes: readonly string[]): Promise<ReadonlyMap<string, Documents>>;
  forget(): void;
}

export interface Documents {
  readonly observations: number;
  readonly descriptions: number;
}

export interface WordStatisticsOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** The aliases that are searched. */
  readonly observations: string;
  readonly companies: string;
  /** Shards of each index: the engine counts in one of them. */
  readonly shards: number;
}

/** Lexemes remembered at most, and for how long, in milliseconds. */
const REMEMBERED = 20_000;
const REMEMBERED_MS = 5_000;
/** Lexemes that one question is about at most. */
const AT_ONCE = 1_000;

type Corpora = Pick<TermStatistics, 'observations' | 'descriptions'>;

interface Counted extends CorpusStatistics {
  readonly with: ReadonlyMap<string, number>;
}

/** Asks the engine for what its own dictionary says of lexemes, deleted documents included until they are merged away. */
export function createWordStatistics(options: WordStatisticsOptions): WordStatistics {
  const { observations, companies } = options;
  const known = new LRUCache<string, Documents>({ max: REMEMBERED });
  let corpora: Corpora | undefined;
  let since = Number.NEGATIVE_INFINITY;
  const forget = () => {
    known.clear();
    corpora = undefined;
  };
  const forgetOld = () => {
    const now = options.clock.now().getTime();
    if (now - since < REMEMBERED_MS && now >= since) return;
    forget();
    since = now;
  };
  const learn = async (lexemes: readonly string[]): Promise<void> => {
    const [ofObservations, ofCompanies] = await Promise.all([
      countIn(options, observations, lexemes),
      countIn(options, companies, lexemes),
    ]);
    corpora = { observations: ofObservations, descriptions: ofCompanies };
    for (const lexeme of lexemes)
      known.set(lexeme, {
        observations: ofObservations.with.get(lexeme) ?? 0,
        descriptions: ofCompanies.with.get(lexeme) ?? 0,
      });
  };
  const documentsWith = async (lexemes: readonly string[]) => {
    forgetOld();
    const unknown = [...new Set(lexemes)].filter((lexeme) => !known.has(lexeme));
    for (let at = 0; at < unknown.length; at += AT_ONCE) await learn(unknown.slice(at, at + AT_ONCE));
    return new Map(lexemes.map((lexeme) => [lexeme, known.get(lexeme) ?? { observations: 0, descriptions: 0 }]));
  };
  return {
    documentsWith,
    async of(words) {
      const lexemes = new Map(
        words.flatMap((word) => {
          const lexeme = lexemeOf(word);
          return lexeme === undefined ? [] : [[word, lexeme] as const];
        }),
      );
      const documents = await documentsWith([...lexemes.values()]);
      if (corpora === undefined) await learn([]);
      return {
        ...(corpora ?? NOTHING),
        words: new Map(
          [...lexemes].map(([word, lexeme]) => {
            const { observations: ofText = 0, descriptions = 0 } = documents.get(lexeme) ?? {};
            /* As rare as can be, where nobody has it yet. */
            return [word, { lexeme, observations: Math.max(1, ofText), descriptions: Math.max(1, descriptions) }];
          }),
        ),
      };
    },
    forget,
  };
}

const NOTHING: Corpora = {
  observations: { documents: 0, meanLength: 1 },
  descriptions: { documents: 0, meanLength: 1 },
};

interface TermVectors {
  readonly text?: {
    readonly field_statistics?: { readonly doc_count: number; readonly sum_ttf: number };
    readonly terms: Readonly<Record<string, { readonly doc_freq?: number }>>;
  };
}

/** Statistics of a document that is not there say how many others have its lexemes. */
async function countIn(
  { client, shards }: WordStatisticsOptions,
  index: string,
  lexemes: readonly string[],
): Promise<Counted> {
  const { body } = await client.termvectors({
    index,
    body: {
      doc: { text: lexemes.join(' ') || UNHEARD_OF },
      fields: ['text'],
      term_statistics: true,
      field_statistics: true,
      positions: false,
      offsets: false,
      payloads: false,
    } as never,
  });
  const { field_statistics: size, terms = {} } =
    ((body as { term_vectors?: TermVectors }).term_vectors ?? {}).text ?? {};
  const documents = size?.doc_count ?? 0;
  return {
    documents: documents * shards,
    meanLength: documents > 0 ? Math.max(1, (size?.sum_ttf ?? 0) / documents) : 1,
    with: new Map(Object.entries(terms).map(([lexeme, { doc_freq: found = 0 }]) => [lexeme, found * shards])),
  };
}

/** A document without any lexeme has no statistics. */
const UNHEARD_OF = '.';
