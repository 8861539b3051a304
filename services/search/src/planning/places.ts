import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import type { PlaceName } from '../vocabulary/place-names.ts';
import { type CityMention, cityInState, startsWithCapital } from './city-in-state.ts';
import type { PlaceMention } from './place-mention.ts';
import {
  AMBIGUOUS_CODES,
  AREA,
  AROUND,
  BEFORE_PLACES,
  CITY_WORDS,
  CONJUNCTIONS,
  DIRECTIONS,
  PLACE_MODIFIERS,
} from './place-words.ts';
import type { Token } from './tokens.ts';

export function findPlaces(tokens: readonly Token[], vocabulary: Vocabulary): PlaceMention[] {
  const words = tokens.map((token) => token.word);
  const mentions: PlaceMention[] = [];
  /* "near Toronto and Chicago" asks for the surroundings of both. */
  let asksAround = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const inList = endsAt(mentions.at(-1), tokens, at);
    const found = cityInState(words, tokens, at, vocabulary) ?? known(words, tokens, at, inList, vocabulary);
    const place = found ?? byCode(tokens, at, inList, vocabulary);
    if (!place) continue;
    const mention = withSurroundings(place, words, inList && asksAround);
    asksAround = mention.asksAround;
    mentions.push(mention);
    at = mention.start + mention.length - 1;
  }
  return withUnknownBeside(mentions, tokens);
}

/**
 * Takes capitalised words that a list joins to a known place for weaker evidence of it: "Hill,
 * Oklahoma City or Warner Robins". They stay search terms, because they may be something else.
 */
function withUnknownBeside(mentions: readonly PlaceMention[], tokens: readonly Token[]): PlaceMention[] {
  const taken = new Set(mentions.flatMap(({ start, length }) => tokens.slice(start, start + length)));
  const isName = (token: Token | undefined) => token !== undefined && startsWithCapital(token) && !taken.has(token);
  const endsName = (token: Token | undefined) => token?.beforeComma === true || token?.endsClause === true;
  const isJoint = (at: number) => CONJUNCTIONS.has(tokens[at]?.word ?? '');
  const wordsOf = (from: number, to: number) => tokens.slice(from, to).map(({ word }) => word);
  const after = (at: number): string[] => {
    const from = isJoint(at) ? at + 1 : at;
    if (from === at && tokens[at - 1]?.beforeComma !== true) return [];
    let to = from;
    while (to < from + CITY_WORDS && isName(tokens[to]) && (to === from || !endsName(tokens[to - 1]))) to += 1;
    return wordsOf(from, to);
  };
  const before = (at: number): string[] => {
    const to = isJoint(at - 1) ? at - 1 : at;
    if (to === at && tokens[at - 1]?.beforeComma !== true) return [];
    let from = to;
    while (from > to - CITY_WORDS && isName(tokens[from - 1]) && (from === to || !endsName(tokens[from - 1])))
      from -= 1;
    return wordsOf(from, to);
  };
  return mentions.map((mention) => {
    const found = [before(mention.start), after(mention.start + mention.length)].filter((name) => name.length > 0);
    return { ...mention, near: [...mention.near, ...found.map((name) => name.join(' '))] };
  });
}

export function isRequiredByFilter(place: Pick<PlaceName, 'country'>, countries: readonly Country[]): boolean {
  return place.country !== Country.UNSPECIFIED && countries.length === 1 && countries[0] === place.country;
}

/**
 * The best-known place, or all if none is better known. Filters have no influence, so that with one
 * a search finds a part of what it finds without it.
 */
function meaningOf([first, ...others]: readonly PlaceName[]): PlaceName | undefined {
  if (!first?.needsContext) return first;
  const alike = [first, ...others.filter((place) => place.needsContext)];
  return {
    ...first,
    names: alike.flatMap(({ names }) => names),
    except: alike.flatMap(({ except }) => except),
  };
}

function known(
  words: readonly string[],
  tokens: readonly Token[],
  at: number,
  inList: boolean,
  vocabulary: Vocabulary,
): CityMention | undefined {
  const match = vocabulary.places.longestAt(words, at);
  const place = match && meaningOf(match.value);
  if (!match || !place) return undefined;
  if (match.length === 1 && DIRECTIONS.has(words[at] ?? '') && !isRegionHere(words, at, vocabulary)) return undefined;
  const stands = inList || BEFORE_PLACES.has(words[at - 1] ?? '') || AREA.has(words[at + match.length] ?? '');
  if (place.needsContext && !(stands && startsWithCapital(tokens[at]))) return undefined;
  return { ...place, start: at, length: match.length, isCity: place.cityOf !== '' };
}

/** Accepts "in the Southwest", but not "southwestern Ontario" or "Southwest Airlines". */
function isRegionHere(words: readonly string[], at: number, vocabulary: Vocabulary): boolean {
  const before = words[at - 1] ?? '';
  return (before === 'the' || BEFORE_PLACES.has(before)) && !vocabulary.places.longestAt(words, at + 1);
}

/** Accepts "TX" after "in", after a comma or in a list of places. */
function byCode(
  tokens: readonly Token[],
  at: number,
  inList: boolean,
  vocabulary: Vocabulary,
): CityMention | undefined {
  const token = tokens[at];
  const name = token && vocabulary.placeCodes.get(token.text);
  if (!name) return undefined;
  const stands = BEFORE_PLACES.has(tokens[at - 1]?.word ?? '') && !AMBIGUOUS_CODES.has(token.text);
  if (!stands && !inList) return undefined;
  const place = meaningOf(vocabulary.places.get(name.split(' ')) ?? []);
  if (!place) return undefined;
  const country = token.text === 'CA' ? Country.CA : Country.UNSPECIFIED;
  return { ...place, country, start: at, length: 1, isCity: false };
}

/** Adds adjacent words without meaning, and the surroundings if asked for. */
function withSurroundings(
  place: CityMention,
  words: readonly string[],
  inherits: boolean,
): PlaceMention & { readonly asksAround: boolean } {
  let { start, length } = place;
  let asksAround = inherits || AROUND.has(words[start - 1] ?? '');
  while (PLACE_MODIFIERS.has(words[start - 1] ?? '') || AROUND.has(words[start - 1] ?? '')) {
    asksAround ||= AROUND.has(words[start - 1] ?? '');
    start -= 1;
    length += 1;
  }
  while (AREA.has(words[start + length] ?? '')) {
    asksAround = true;
    length += 1;
  }
  const near = asksAround ? [...place.near, ...place.around] : place.near;
  return {
    names: place.names,
    near,
    except: place.except,
    country: place.country,
    kept: place.kept,
    isCity: place.isCity,
    start,
    length,
    asksAround,
  };
}

function endsAt(last: PlaceMention | undefined, tokens: readonly Token[], at: number): boolean {
  if (!last) return false;
  const end = last.start + last.length;
  return end === at || (end === at - 1 && CONJUNCTIONS.has(tokens[end]?.word ?? ''));
}
