import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { findDesignators } from '../facts/designators.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { PRESENCE_NOUNS } from './negating-words.ts';
import { findNegations, type Negations } from './negations.ts';
import type { PlaceMention } from './place-mention.ts';
import { findSentenceNegations } from './sentence-negations.ts';
import type { TimeMention } from './times.ts';
import type { Token } from './tokens.ts';

const AVOIDED = 50;
/** The excluded things begin at most this many words before the time. */
const THINGS = 4;
const TIMES = 8;
const COUNTRIES: readonly (readonly [Country, readonly string[]])[] = [
  [Country.CA, ['canada']],
  [Country.US, ['united', 'states']],
];

export function findNegationScope(
  tokens: readonly Token[],
  places: readonly PlaceMention[],
  times: readonly TimeMention[],
): Negations {
  /* "in Georgia, outside Atlanta" excludes the city; a bare "outside Detroit" asks for its area. */
  const namesArea = places.some(({ isCity }) => !isCity);
  const kinds = new Map(
    places.flatMap((place) =>
      indexesOf(place).map((at) => [at, place.isCity && !namesArea ? 'city' : 'area'] as const),
    ),
  );
  const bySentence = findSentenceNegations(tokens);
  const negated = findNegations(tokens, (index) => kinds.get(index) ?? 'none', bySentence.tokens);
  const all: Negations = {
    tokens: new Set([...bySentence.tokens, ...negated.tokens]),
    runs: [...bySentence.runs, ...negated.runs],
  };
  const ofTimes = times
    .filter(({ start, since, until }) => !since && until && follows(tokens[start - 1], negated))
    .slice(0, TIMES);
  return ofTimes.reduce((found, time) => withOnlyTime(found, time), all);
}

/** Whether a time limits excluded things: "no rounds before 2005". */
function follows(before: Token | undefined, negated: Negations): boolean {
  return before !== undefined && negated.tokens.has(before.index) && !before.beforeComma && !before.endsClause;
}

function withOnlyTime({ tokens, runs }: Negations, time: TimeMention): Negations {
  const isBefore = ({ index }: Token) => index < time.start && index >= time.start - THINGS && tokens.has(index);
  const released = runs.filter((run) => run.some(isBefore));
  const free = new Set(released.flat().map(({ index }) => index));
  return {
    tokens: new Set([...[...tokens].filter((index) => !free.has(index)), ...indexesOf(time)]),
    runs: runs.filter((run) => !released.includes(run)),
  };
}

/** Excluding one of the two countries asks for the other. */
export function requestedPlaces(
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
 * Places by all their names, other words in order. Words that are also requested exclude nothing.
 * `isMeant` marks words with another meaning, such as times.
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
    const isPresence = inPlaces.length > 0 && words.every((word) => PRESENCE_NOUNS.has(word));
    const saysMore = !isPresence && words.some((word) => !asked.has(word) && !vocabulary.generic.has(word));
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
