import { bestCandidates, lexemesNear, type SpellingCandidate } from '../../../../ranking/spelling.ts';
import type { CorpusStatistics, TermStatistics } from '../../../../ranking/term-statistics.ts';
import { lexemeOfWord } from '../../../../text/stem.ts';
import { DEAD } from '../documents/observation-code.ts';
import type { InvertedIndexView } from '../inverted-index/inverted-index.ts';
import type { MemoryIndexView } from '../memory-index.ts';

/** Longer lists include dead documents, which are about as frequent everywhere. */
const COUNTED_EXACTLY = 4_096;

/** A word without texts counts as one, for its idf. */
export function readTermStatistics(view: MemoryIndexView, words: readonly string[]): TermStatistics {
  const { observations, companies } = view;
  const known = [...new Set(words)].flatMap((word) => {
    const lexeme = lexemeOfWord(word);
    if (lexeme === undefined) return [];
    const counts = countsOf(view, lexeme);
    const statistics = {
      lexeme,
      observations: Math.max(1, counts.observations),
      descriptions: Math.max(1, counts.descriptions),
    };
    return [[word, statistics] as const];
  });
  return {
    observations: corpusOf(observations.size - observations.dead, observations.words),
    descriptions: corpusOf(companies.described, companies.words),
    words: new Map(known),
  };
}

export function readSpellingCandidates(view: MemoryIndexView, words: readonly string[]): SpellingCandidate[] {
  return bestCandidates(lexemesNear(words), (lexeme) => countsOf(view, lexeme));
}

function countsOf(view: MemoryIndexView, lexeme: string): Pick<SpellingCandidate, 'observations' | 'descriptions'> {
  const { observations, observationTexts, companies, companyTexts } = view;
  const [codes, alive] = [observations.codes.values, companies.alive.values];
  return {
    observations: countAlive(observationTexts, lexeme, observations, (number) => codes[number] !== DEAD),
    descriptions: countAlive(companyTexts, lexeme, companies, (number) => alive[number] === 1),
  };
}

function countAlive(
  texts: InvertedIndexView,
  lexeme: string,
  { size, dead }: { readonly size: number; readonly dead: number },
  isAlive: (number: number) => boolean,
): number {
  const all = texts.countOf(lexeme);
  if (dead === 0 || all === 0) return all;
  if (all > COUNTED_EXACTLY) return Math.round((all * (size - dead)) / size);
  let count = 0;
  for (const { first, documents, from, to } of texts.postingsOf(lexeme))
    for (let at = from; at < to; at += 1) if (isAlive(first + (documents[at] ?? 0))) count += 1;
  return count;
}

function corpusOf(documents: number, words: number): CorpusStatistics {
  return { documents, meanLength: documents > 0 ? Math.max(1, words / documents) : 1 };
}
