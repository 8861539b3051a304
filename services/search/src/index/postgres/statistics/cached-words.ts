import type { Queryable } from '@ces/chassis/postgres/pool';
import type { TermStatistics } from '../../../ranking/term-statistics.ts';
import { type IndexStatistics, readTermStatistics } from './read-statistics.ts';

/** Caches statistics of words until the next count of the index. */
export interface WordStatistics {
  of(words: readonly string[], statistics: IndexStatistics): Promise<TermStatistics>;
}

type Known = TermStatistics['words'] extends ReadonlyMap<string, infer W> ? W : never;

const REMEMBERED = 20_000;

export function createWordStatistics(db: Queryable): WordStatistics {
  let counted: IndexStatistics | undefined;
  let known = new Map<string, Known | undefined>();
  return {
    async of(words, statistics) {
      if (counted !== statistics || known.size > REMEMBERED) {
        counted = statistics;
        known = new Map();
      }
      const remembered = known;
      const unknown = words.filter((word) => !remembered.has(word));
      if (unknown.length > 0) {
        const read = await readTermStatistics(db, unknown, statistics);
        for (const word of unknown) remembered.set(word, read.words.get(word));
      }
      const { observations, descriptions } = statistics;
      const found = words.flatMap((word) => {
        const statisticsOfWord = remembered.get(word);
        return statisticsOfWord ? [[word, statisticsOfWord] as const] : [];
      });
      return { observations, descriptions, words: new Map(found) };
    },
  };
}
