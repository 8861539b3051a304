import type { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Term } from '@ces/proto/ces/search/v1/search_pb.ts';
import { idf } from './bm25.ts';

/** A related phrase weighs twice if the word itself is this many times rarer. */
const RARER = 100;

export type FrequencyOf = (word: string) => { readonly lexeme: string; readonly documents: number } | undefined;

/** Adjacent lexemes, usually one. */
export type LexemePhrase = readonly string[];

/** Same meaning and weight: they count as one word. */
export interface Alternative {
  readonly phrases: readonly LexemePhrase[];
  readonly weight: number;
  readonly documents: number;
}

export interface WeighedTerm {
  readonly text: string;
  readonly words: readonly string[];
  readonly alternatives: readonly Alternative[];
  readonly documents: number;
  /** Observations of these kinds gain nothing from the term. */
  readonly namesKinds: readonly Kind[];
  /** Observations of these kinds gain from the term but need not contain it. */
  readonly supportsKinds: readonly Kind[];
}

interface KnownPhrase {
  readonly lexemes: LexemePhrase;
  readonly weight: number;
  readonly documents: number;
}

/** Drops phrases that contain a stop word of the index. */
export function weighTerms(terms: readonly Term[], documents: number, frequencyOf: FrequencyOf): WeighedTerm[] {
  return terms.flatMap((term) => {
    const alternatives = alternativesOf(term, phrasesOf(term, frequencyOf), documents);
    if (alternatives.length === 0) return [];
    const { text, words, namesKinds, supportsKinds } = term;
    const withAny = sum(alternatives.map((alternative) => alternative.documents));
    return { text, words, alternatives, documents: withAny, namesKinds, supportsKinds };
  });
}

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

/** 1 to 2: the rarer the word itself, the more related phrases weigh. */
function strengthOf(related: number, itself: number): number {
  return 1 + Math.max(0, Math.min(1, Math.log(related / Math.max(1, itself)) / Math.log(RARER)));
}

export function weightOf(term: WeighedTerm): number {
  return Math.max(...term.alternatives.map((alternative) => alternative.weight));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
