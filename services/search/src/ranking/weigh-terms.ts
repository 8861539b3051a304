import type { Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { idf } from './bm25.ts';

/** How frequent a word is; undefined for words that the index leaves out. */
export type FrequencyOf = (word: string) => { readonly lexeme: string; readonly documents: number } | undefined;

/** Lexemes that must stand side by side; mostly one. */
export type LexemePhrase = readonly string[];

/** A term as an index searches it. */
export interface WeighedTerm {
  readonly text: string;
  /** Any of these is the word itself. */
  readonly lexemes: readonly string[];
  /** Weight times idf of the word. */
  readonly weight: number;
  /** Any of these stands for the word. */
  readonly related: readonly LexemePhrase[];
  /** Weight times idf of the related phrases taken as one word. */
  readonly relatedWeight: number;
  /** Documents with any of it, at most. */
  readonly documents: number;
}

/** Gives every term its weight in a corpus; terms that the index leaves out are gone. */
export function weighTerms(terms: readonly Term[], documents: number, frequencyOf: FrequencyOf): WeighedTerm[] {
  return terms.flatMap((term) => {
    const words = known(term.words, frequencyOf);
    const related = term.related
      .map(({ words: phrase, weight }) => ({ weight, words: known(phrase, frequencyOf), length: phrase.length }))
      .filter((phrase) => phrase.words.length > 0);
    if (words.length === 0 && related.length === 0) return [];
    const own = sum(words.map((word) => word.documents));
    const others = sum(related.map((phrase) => Math.min(...phrase.words.map((word) => word.documents))));
    const relatedWeight = Math.max(0, ...related.map((phrase) => phrase.weight));
    return [
      {
        text: term.text,
        lexemes: distinct(words.map((word) => word.lexeme)),
        weight: words.length === 0 ? 0 : term.weight * idf(documents, own),
        related: related.map((phrase) => phrase.words.map((word) => word.lexeme)),
        relatedWeight: related.length === 0 ? 0 : term.weight * relatedWeight * idf(documents, others),
        documents: own + others,
      },
    ];
  });
}

function known(words: readonly string[], frequencyOf: FrequencyOf) {
  return words.flatMap((word) => frequencyOf(word) ?? []);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
