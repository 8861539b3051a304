import type { Queryable } from '@ces/chassis/postgres/pool';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import { type LexemePattern, readPattern } from '../inverted-index/tsvector-text.ts';

/** Caches how the server parses phrases. */
export interface PhrasePatterns {
  /** Returns undefined if any phrase is more than lexemes at fixed distances. */
  of(phrases: readonly string[]): Promise<ReadonlyMap<string, LexemePattern> | undefined>;
}

const REMEMBERED = 5_000;
const READ = `select phrase, phraseto_tsquery('english', phrase)::text as pattern from unnest($1::text[]) as phrase`;

export function createPhrasePatterns(db: Queryable): PhrasePatterns {
  const known = new Map<string, LexemePattern | undefined>();
  return {
    async of(phrases) {
      const unknown = phrases.filter((phrase) => !known.has(phrase));
      if (unknown.length > 0) {
        if (known.size + unknown.length > REMEMBERED) known.clear();
        const asked = [...new Set(phrases)].filter((phrase) => !known.has(phrase));
        const { rows } = await db.query<{ phrase: string; pattern: string }>({
          name: 'read-phrases',
          text: READ,
          values: [asked],
        });
        for (const { phrase, pattern } of rows) known.set(phrase, readPattern(pattern));
      }
      const patterns = new Map<string, LexemePattern>();
      for (const phrase of phrases) {
        const pattern = known.get(phrase);
        if (!pattern) return undefined;
        patterns.set(phrase, pattern);
      }
      return patterns;
    },
  };
}

/** These phrases only affect weights, unlike required or excluded phrases. */
export function weighingPhrasesOf({ places, avoided }: Plan): string[] {
  return [...avoided, ...places.flatMap(({ names, near, except }) => [...names, ...near, ...except])];
}
