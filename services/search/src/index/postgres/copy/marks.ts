import type { LexemePhrase, WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { Texts } from './texts.ts';
import type { LexemePattern } from './tsvector-text.ts';

/** One for each document of a kind, by number. */
export type Marks = Uint8Array;

/** Marks documents with any of the patterns. */
export function markPatterns(texts: Texts, marks: Marks, patterns: readonly LexemePattern[]): Marks {
  for (const pattern of patterns) for (const document of texts.documentsOf(pattern, true)) marks[document] = 1;
  return marks;
}

/** Marks documents with any of the terms, the lexemes of a phrase anywhere in them. */
export function markTerms(texts: Texts, marks: Marks, terms: readonly WeighedTerm[]): Marks {
  eachMatch(texts, terms, (document) => {
    marks[document] = 1;
  });
  return marks;
}

/** Calls for each document with any of the terms, perhaps several times. */
export function eachMatch(texts: Texts, terms: readonly WeighedTerm[], take: (document: number) => void): void {
  for (const phrase of distinctPhrases(terms)) {
    const [first = ''] = phrase;
    if (phrase.length > 1)
      for (const document of texts.documentsOf({ lexemes: phrase, offsets: [] }, false)) take(document);
    else
      for (const { first: numbered, documents } of texts.postingsOf(first))
        for (const document of documents) take(numbered + document);
  }
}

function distinctPhrases(terms: readonly WeighedTerm[]): LexemePhrase[] {
  const phrases = terms.flatMap((term) => term.alternatives.flatMap((alternative) => alternative.phrases));
  return [...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values()];
}
