import type { Clock } from '@ces/chassis/service/clock';
import type { Client } from '@opensearch-project/opensearch';
import { LRUCache } from 'lru-cache';
import type { TermStatistics } from '../../../../ranking/term-statistics.ts';
import { lexemeOfWord } from '../../../../text/stem.ts';
import { type CountedCorpus, createCountDocuments } from './count-documents.ts';

export interface WordStatistics {
  of(words: readonly string[]): Promise<TermStatistics>;
  documentsWith(lexemes: readonly string[]): Promise<ReadonlyMap<string, Documents>>;
  forget(): void;
}

interface Documents {
  readonly observations: number;
  readonly descriptions: number;
}

export interface WordStatisticsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly observations: string;
  readonly companies: string;
}

const MAX_CACHED = 20_000;
const CACHE_TTL_MS = 5_000;
const AT_ONCE = 1_000;

type Corpora = Pick<TermStatistics, 'observations' | 'descriptions'>;

export function createWordStatistics(options: WordStatisticsOptions): WordStatistics {
  const { client, clock, observations, companies } = options;
  const count = createCountDocuments(client, [observations, companies]);
  const known = new LRUCache<string, Documents>({ max: MAX_CACHED });
  let corpora: Corpora | undefined;
  let since = Number.NEGATIVE_INFINITY;
  const forget = () => {
    known.clear();
    corpora = undefined;
  };
  const forgetOld = () => {
    const now = clock.now().getTime();
    if (now - since < CACHE_TTL_MS && now >= since) return;
    forget();
    since = now;
  };
  const learn = async (lexemes: readonly string[], learned: Map<string, Documents>): Promise<Corpora> => {
    const [ofText = EMPTY_CORPUS, ofDescription = EMPTY_CORPUS] = await count(lexemes);
    for (const lexeme of lexemes) {
      const documents = {
        observations: ofText.with.get(lexeme) ?? 0,
        descriptions: ofDescription.with.get(lexeme) ?? 0,
      };
      learned.set(lexeme, documents);
      known.set(lexeme, documents);
    }
    corpora = { observations: ofText, descriptions: ofDescription };
    return corpora;
  };
  const look = async (lexemes: readonly string[]) => {
    forgetOld();
    const learned = new Map<string, Documents>();
    const unknown = [...new Set(lexemes)].filter((lexeme) => {
      const documents = known.get(lexeme);
      if (documents) learned.set(lexeme, documents);
      return documents === undefined;
    });
    let sizes = corpora;
    for (let at = 0; at < unknown.length; at += AT_ONCE) sizes = await learn(unknown.slice(at, at + AT_ONCE), learned);
    return { learned, sizes: sizes ?? (await learn([], learned)) };
  };
  return {
    documentsWith: async (lexemes) => (await look(lexemes)).learned,
    async of(words) {
      const lexemes = words.flatMap((word) => {
        const lexeme = lexemeOfWord(word);
        return lexeme === undefined ? [] : [[word, lexeme] as const];
      });
      const { learned, sizes } = await look(lexemes.map(([, lexeme]) => lexeme));
      return {
        ...sizes,
        words: new Map(lexemes.map(([word, lexeme]) => [word, { lexeme, ...atLeastOne(learned.get(lexeme)) }])),
      };
    },
    forget,
  };
}

const EMPTY_CORPUS: CountedCorpus = { documents: 0, meanLength: 1, with: new Map() };

/** An unknown lexeme counts as occurring once. */
function atLeastOne({ observations, descriptions }: Documents = { observations: 0, descriptions: 0 }): Documents {
  return { observations: Math.max(1, observations), descriptions: Math.max(1, descriptions) };
}
