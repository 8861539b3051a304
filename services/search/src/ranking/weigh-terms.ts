import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { idf } from './bm25.ts';

/** How frequent a word is; undefined for words that the index leaves out. */
export type FrequencyOf = (word: string) => { readonly lexeme: string; readonly documents: number } | undefined;

/** Lexemes that must be side by side; mostly one. */
export type LexemePhrase = readonly string[];

/** Phrases with the same meaning and the same weight; they count as one word. */
export interface Alternative {
  readonly phrases: readonly LexemePhrase[];
  /** Weight times idf. */
  readonly weight: number;
  /** Documents with any of them, at most. */
  readonly documents: number;
}

/** A term as an index searches it: it gives what its best alternative gives. */
export interface WeighedTerm {
  readonly text: string;
  /** What counts as the word itself. */
  readonly words: readonly string[];
  readonly alternatives: readonly Alternative[];
  /** Documents with any of it, at most. */
  readonly documents: number;
  /** Kinds whose observations gain nothing by it. */
  readonly namesKinds: readonly Kind[];
}

/** Gives every term its weight in a corpus; phrases with a word that the index leaves out are gone. */
export function weighTerms(terms: readonly Term[], documents: number, frequencyOf: FrequencyOf): WeighedTerm[] {
  return terms.flatMap((term) => {
    const phrases = [...term.words.map((word) => ({ words: [word], weight: 1 })), ...term.related].flatMap(
      ({ words, weight }) => {
        const known = words.flatMap((word) => frequencyOf(word) ?? []);
        if (known.length < words.length) return [];
        return {
          weight: weight * term.weight,
          lexemes: known.map(({ lexeme }) => lexeme),
          documents: Math.min(...known.map((word) => word.documents)),
        };
      },
    );
    if (phrases.length === 0) return [];
    const alternatives = [...Map.groupBy(phrases, (phrase) => phrase.weight)].map(([weight, group]) => {
      const withAny = sum(group.map((phrase) => phrase.documents));
      return {
        phrases: group.map((phrase) => phrase.lexemes),
        weight: weight * idf(documents, withAny),
        documents: withAny,
      };
    });
    const { text, words, namesKinds } = term;
    return {
      text,
      words,
      alternatives,
      documents: sum(alternatives.map((alternative) => alternative.documents)),
      namesKinds,
    };
  });
}

/** The weight of a term's best alternative. */
export function weightOf(term: WeighedTerm): number {
  return Math.max(...term.alternatives.map((alternative) => alternative.weight));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
