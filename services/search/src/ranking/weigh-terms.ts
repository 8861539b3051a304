import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { idf } from './bm25.ts';

/** How many times rarer than what is related to it a word is when that weighs twice; chosen by measurement. */
const RARER = 100;

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
  /** Kinds whose observations gain by it and need not have it. */
  readonly supportsKinds: readonly Kind[];
}

/** A phrase whose every word the index knows. */
interface KnownPhrase {
  readonly lexemes: LexemePhrase;
  readonly weight: number;
  /** Documents with all of its words, at most. */
  readonly documents: number;
}

/** Gives every term its weight in a corpus; phrases with a word that the index leaves out are gone. */
export function weighTerms(terms: readonly Term[], documents: number, frequencyOf: FrequencyOf): WeighedTerm[] {
  return terms.flatMap((term) => {
    const alternatives = alternativesOf(term, phrasesOf(term, frequencyOf), documents);
    if (alternatives.length === 0) return [];
    const { text, words, namesKinds, supportsKinds } = term;
    const withAny = sum(alternatives.map((alternative) => alternative.documents));
    return { text, words, alternatives, documents: withAny, namesKinds, supportsKinds };
  });
}

/** The word itself and what is related to it; a phrase of several words stands first among those related to it. */
function phrasesOf(term: Term, frequencyOf: FrequencyOf): KnownPhrase[] {
  const all = [...term.words.map((word) => ({ words: [word], weight: 1 })), ...term.related];
  return all.flatMap(({ words, weight }) => {
    const known = words.flatMap((word) => frequencyOf(word) ?? []);
    if (known.length < words.length) return [];
    return {
      weight: weight * term.weight,
      lexemes: known.map(({ lexeme }) => lexeme),
      documents: Math.min(...known.map((word) => word.documents)),
    };
  });
}

function alternativesOf(term: Term, phrases: readonly KnownPhrase[], documents: number): Alternative[] {
  const itself = term.words.length > 0 ? phrases.filter(({ weight }) => weight === term.weight) : phrases.slice(0, 1);
  const withItself = withAnyOf(itself);
  return [...Map.groupBy(phrases, (phrase) => phrase.weight)].map(([weight, group]) => {
    const withAny = withAnyOf(group);
    const strength = weight < term.weight ? strengthOf(withAny, withItself) : 1;
    return {
      phrases: group.map((phrase) => phrase.lexemes),
      weight: weight * strength * idf(documents, withAny),
      documents: withAny,
    };
  });
}

function withAnyOf(phrases: readonly KnownPhrase[]): number {
  return sum(phrases.map((phrase) => phrase.documents));
}

/** How much more something related weighs, the rarer the word itself is beside it: twice when a hundred times rarer. */
function strengthOf(related: number, itself: number): number {
  return 1 + Math.max(0, Math.min(1, Math.log(related / Math.max(1, itself)) / Math.log(RARER)));
}

/** The weight of a term's best alternative. */
export function weightOf(term: WeighedTerm): number {
  return Math.max(...term.alternatives.map((alternative) => alternative.weight));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
