import type { LexemePhrase, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import type { Run, SearchedTexts } from '../texts/texts.ts';
import type { LexemePattern } from '../texts/tsvector-text.ts';
import type { Marks } from './scratch.ts';

export function markPatterns(texts: SearchedTexts, marks: Marks, patterns: readonly LexemePattern[]): Marks {
  for (const pattern of patterns) markRuns(marks, texts.documentsOf(pattern, true));
  return marks;
}

/** Ignores the distances of a phrase's lexemes. */
export function markTerms(texts: SearchedTexts, marks: Marks, terms: readonly WeighedTerm[]): Marks {
  markRuns(marks, runsOf(texts, terms));
  return marks;
}

export function runsOf(texts: SearchedTexts, terms: readonly WeighedTerm[]): Run[] {
  return distinctPhrases(terms).flatMap<Run>((phrase) => {
    const [first = ''] = phrase;
    return phrase.length > 1 ? texts.documentsOf({ lexemes: phrase, offsets: [] }, false) : texts.postingsOf(first);
  });
}

function markRuns({ values, mark }: Marks, runs: readonly Run[]): void {
  for (const { first, documents, from, to } of runs)
    for (let at = from; at < to; at += 1) values[first + (documents[at] ?? 0)] = mark;
}

function distinctPhrases(terms: readonly WeighedTerm[]): LexemePhrase[] {
  const phrases = terms.flatMap((term) => term.alternatives.flatMap((alternative) => alternative.phrases));
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()];
}
