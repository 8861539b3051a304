import { KNOWN_WELL, type NearWord, spellingsNear } from '../../../../ranking/spelling.ts';
import { lexemeOf } from '../../../../text/stem.ts';
import type { WordStatistics } from './word-statistics.ts';

export async function findNearWords(statistics: WordStatistics, words: readonly string[]): Promise<NearWord[]> {
  if (words.length === 0) return [];
  const lexemesOf = new Map(
    words.map((word) => [word, [...new Set(spellingsNear(word).flatMap((near) => lexemeOf(near) ?? []))]]),
  );
  const documents = await statistics.documentsWith([...lexemesOf.values()].flat());
  return words.flatMap((written) => {
    const known = (lexemesOf.get(written) ?? []).flatMap((lexeme) => {
      const { observations, descriptions } = documents.get(lexeme) ?? { observations: 0, descriptions: 0 };
      return observations + descriptions >= KNOWN_WELL ? [{ written, lexeme, observations, descriptions }] : [];
    });
    const [best] = known.toSorted(
      (a, b) => b.observations + b.descriptions - a.observations - a.descriptions || (a.lexeme < b.lexeme ? -1 : 1),
    );
    return best ? [best] : [];
  });
}
