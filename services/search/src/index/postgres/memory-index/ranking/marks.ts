import type { LexemePhrase, WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import type { InvertedIndexView, Run } from '../inverted-index/inverted-index.ts';
import type { LexemePattern } from '../inverted-index/tsvector-text.ts';
import type { Marks } from './buffer-pool.ts';

export function markPatterns(texts: InvertedIndexView, marks: Marks, patterns: readonly LexemePattern[]): Marks {
  for (const pattern of patterns) markRuns(marks, texts.documentsOf(pattern, true));
  return marks;
}

export function runsOf(texts: InvertedIndexView, terms: readonly WeighedTerm[]): Run[] {
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
