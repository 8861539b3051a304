import { retrievesNewest } from '../../../../ranking/plan-traits.ts';
import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import type { RankStatement } from '../../statement/rank-statement.ts';
import type { InvertedIndexView } from '../inverted-index/inverted-index.ts';
import type { LexemePattern } from '../inverted-index/tsvector-text.ts';
import type { MemoryIndexView } from '../memory-index.ts';
import { weighingPhrasesOf } from './phrase-patterns.ts';

/**
 * A ranking in memory may cost this much. It blocks the process for about 25 ms at 4 ns, or 40 ms
 * at the 95th percentile of 7 ns. The database handles costlier rankings.
 */
export const MAX_COST = 6_000_000;

/**
 * A document costs this if it has a word, has a word of a phrase, or is retrieved, filtered and
 * sorted.
 */
const SCORED = 1;
const IN_PHRASE = 1;
const RETRIEVED = 8;
const LOOKED_AT = 1;

/** Estimates the maximum cost from document counts, which is cheap. */
export function estimateCost(
  { observationTexts, companyTexts }: MemoryIndexView,
  { plan, scoring, retrieval }: RankStatement,
  patterns: ReadonlyMap<string, LexemePattern>,
): number {
  const { own, context } = scoring;
  const tried = [...retrieval.own, ...retrieval.conjunctions.flatMap(([first]) => first ?? [])];
  const isAnyInPlace = plan.places.length > 0;
  const inPlace = weighingPhrasesOf(plan).map((phrase) => patternCost(observationTexts, patterns.get(phrase)));
  return (
    termsCost(observationTexts, own.terms, SCORED) +
    termsCost(observationTexts, tried, RETRIEVED) +
    termsCost(observationTexts, retrieval.conjunctions.flat(), SCORED) +
    termsCost(companyTexts, context.terms, SCORED) +
    termsCost(companyTexts, retrieval.context, RETRIEVED) +
    inPlace.reduce((sum, { scanned, found }) => sum + 2 * scanned + (isAnyInPlace ? RETRIEVED * found : 0), 0) +
    (retrievesNewest(plan) ? documentsIn(observationTexts) * LOOKED_AT : 0)
  );
}

function documentsIn({ segments }: InvertedIndexView): number {
  return segments.reduce((sum, { size }) => sum + size, 0);
}

function termsCost(texts: InvertedIndexView, terms: readonly WeighedTerm[], each: number): number {
  let sum = 0;
  for (const { alternatives } of terms)
    for (const { phrases } of alternatives)
      for (const phrase of phrases)
        sum +=
          phrase.length === 1
            ? each * texts.countOf(phrase[0] ?? '')
            : phrase.reduce((all, lexeme) => all + IN_PHRASE * texts.countOf(lexeme), 0) +
              (each - SCORED) * Math.min(...phrase.map((lexeme) => texts.countOf(lexeme)));
  return sum;
}

function patternCost(texts: InvertedIndexView, pattern: LexemePattern | undefined): { scanned: number; found: number } {
  const counts = (pattern?.lexemes ?? []).map((lexeme) => texts.countOf(lexeme));
  if (counts.length === 0) return { scanned: 0, found: 0 };
  return { scanned: IN_PHRASE * counts.reduce((sum, count) => sum + count, 0), found: Math.min(...counts) };
}
