import { MIN_FREQUENCY, type SpellingCandidate, spellingsAtDistanceOne } from '../../../../ranking/spelling.ts';
import { lexemeOf } from '../../../../text/stem.ts';
import type { WordStatistics } from './word-statistics.ts';

export async function findSpellingCandidates(
  statistics: WordStatistics,
  words: readonly string[],
): Promise<SpellingCandidate[]> {
  if (words.length === 0) return [];
  const lexemesOf = new Map(
    words.map((word) => [word, [...new Set(spellingsAtDistanceOne(word).flatMap((near) => lexemeOf(near) ?? []))]]),
  );
  const documents = await statistics.documentsWith([...lexemesOf.values()].flat());
  return words.flatMap((written) => {
    const known = (lexemesOf.get(written) ?? []).flatMap((lexeme) => {
      const { observations, descriptions } = documents.get(lexeme) ?? { observations: 0, descriptions: 0 };
      return observations + descriptions >= MIN_FREQUENCY ? [{ written, lexeme, observations, descriptions }] : [];
    });
    const [best] = known.toSorted(
      (a, b) => b.observations + b.descriptions - a.observations - a.descriptions || (a.lexeme < b.lexeme ? -1 : 1),
    );
    return best ? [best] : [];
  });
}
