import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { findDesignators } from '../facts/designators.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { findNegations, type Negations } from './negations.ts';
import type { PlaceMention } from './place-mention.ts';
import { findRefusals } from './refusals.ts';
import type { Token } from './tokens.ts';

/** What is negated at most. */
const AVOIDED = 50;
const COUNTRIES: readonly (readonly [Country, readonly string[]])[] = [
  [Country.CA, ['canada']],
  [Country.US, ['united', 'states']],
];

/** What phrases and whole sentences turn down. */
export function findTurnedDown(tokens: readonly Token[], places: readonly PlaceMention[]): Negations {
  const kinds = new Map(
    places.flatMap((place) => indexesOf(place).map((at) => [at, place.isCity ? 'city' : 'area'] as const)),
  );
  const refused = findRefusals(tokens);
  const negated = findNegations(tokens, (index) => kinds.get(index) ?? 'none', refused.tokens);
  return {
    tokens: new Set([...refused.tokens, ...negated.tokens]),
    runs: [...refused.runs, ...negated.runs],
  };
}

/** Places that are asked for; who turns down one country asks for the other. */
export function placesAsked(
  named: readonly PlaceMention[],
  negated: Negations,
  vocabulary: Vocabulary,
): PlaceMention[] {
  return named.flatMap((place) => {
    if (!negated.tokens.has(place.start)) return [place];
    const other = COUNTRIES.find(([country]) => place.country !== Country.UNSPECIFIED && country !== place.country);
    const meant = other && vocabulary.places.get(other[1])?.[0];
    return meant ? [{ ...place, ...meant }] : [];
  });
}

/**
 * What is negated: places by all their names, words in their order. What is asked for as well ("seed rounds, not seed
 * rounds in Texas") is turned down by no word; `meant` are words that mean something else, as times do.
 */
export function avoidedBy(
  negated: Negations,
  places: readonly PlaceMention[],
  isMeant: (token: Token) => boolean,
  asked: ReadonlySet<string>,
  vocabulary: Vocabulary,
): string[] {
  const inPlaces = places.filter((place) => negated.tokens.has(place.start));
  const taken = new Set(inPlaces.flatMap(indexesOf));
  const phrases = negated.runs.flatMap((run) => {
    const own = run.filter((token) => !taken.has(token.index) && !isMeant(token));
    const lettered = findDesignators(own);
    const inLettered = new Set(lettered.flatMap(({ at }) => [at, at + 1]));
    const others = own.filter((token, at) => !inLettered.has(at) && !vocabulary.stopWords.has(token.word));
    const words = others.map((token) => token.word);
    const saysMore = words.some((word) => !asked.has(word) && !vocabulary.generic.has(word));
    return [...lettered.map(({ word }) => [word]), ...(saysMore ? [words] : [])];
  });
  const texts = [
    ...inPlaces
      .filter(({ country }) => country === Country.UNSPECIFIED)
      .flatMap((place) => [...place.names, ...place.near]),
    ...phrases.map((words) => words.join(' ')),
  ];
  return [...new Set(texts)].filter((text) => text !== '').slice(0, AVOIDED);
}

function indexesOf({ start, length }: { readonly start: number; readonly length: number }): number[] {
  return Array.from({ length }, (_, offset) => start + offset);
}
