import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import { formsOf, type PlaceName } from '../vocabulary/place-names.ts';
import type { PlaceMention } from './place-mention.ts';
import { BEFORE_CITIES, CITY_WORDS } from './place-words.ts';
import type { Token } from './tokens.ts';

export interface CityMention extends PlaceMention {
  readonly around: readonly string[];
}

/** City with state, known or unknown: "Moose Jaw, SK", "Vancouver Washington". */
export function cityInState(
  words: readonly string[],
  tokens: readonly Token[],
  at: number,
  vocabulary: Vocabulary,
): CityMention | undefined {
  for (let length = CITY_WORDS; length > 0; length -= 1) {
    const state = stateAt(words, tokens, at + length, vocabulary);
    if (!state) continue;
    if (isOtherwiseKnown(words, tokens, at, { length, state }, vocabulary)) continue;
    const city = words.slice(at, at + length);
    const listed = vocabulary.places.get(city) ?? [];
    const home = listed.find((place) => place.cityOf === state.code);
    if (!home && !isCityByForm(tokens, at, length, state, listed, vocabulary)) continue;
    const names = formsOf(city.join(' '), state.code, state.name);
    const place = {
      names,
      near: [],
      except: [],
      country: Country.UNSPECIFIED,
      kept: false,
      around: [...(home?.around ?? []), state.name],
    };
    return { ...place, start: at, length: length + state.length, isCity: true };
  }
  return undefined;
}

/** Matches lists ("Hill, Oklahoma City", "Vermont, Maine, New Hampshire") and "Washington, DC". */
function isOtherwiseKnown(
  words: readonly string[],
  tokens: readonly Token[],
  at: number,
  { length, state }: { readonly length: number; readonly state: State },
  vocabulary: Vocabulary,
): boolean {
  const isDivided = tokens.slice(at, at + length - 1).some((token) => token.beforeComma || token.endsClause);
  const ofState = vocabulary.places.longestAt(words, at + length)?.length ?? 0;
  const whole = vocabulary.places.longestAt(words, at)?.length ?? 0;
  return isDivided || ofState > state.length || whole === length + state.length;
}

/** "in Moose Jaw, SK": capitals after a preposition, then a state as a code or after a comma. */
function isCityByForm(
  tokens: readonly Token[],
  at: number,
  length: number,
  state: State,
  listed: readonly PlaceName[],
  vocabulary: Vocabulary,
): boolean {
  const city = tokens.slice(at, at + length);
  const isPlain = city.every((token) => startsWithCapital(token) && !vocabulary.placeCodes.has(token.text));
  if (!isPlain || !BEFORE_CITIES.has(tokens[at - 1]?.word ?? '')) return false;
  if (listed.some(({ cityOf }) => cityOf === '')) return isNamedAfter(city, state);
  return state.isCode || (listed.length === 0 && city.at(-1)?.beforeComma === true);
}

function isNamedAfter(city: readonly Token[], state: State): boolean {
  return state.isCode && (state.code === 'DC' || city.map(({ word }) => word).join(' ') === state.name);
}

interface State {
  readonly code: string;
  readonly name: string;
  readonly length: number;
  readonly isCode: boolean;
}

function stateAt(
  words: readonly string[],
  tokens: readonly Token[],
  at: number,
  vocabulary: Vocabulary,
): State | undefined {
  const code = tokens[at]?.text ?? '';
  const byCode = vocabulary.placeCodes.get(code);
  if (byCode) return { code, name: byCode, length: 1, isCode: true };
  const named = vocabulary.states.longestAt(words, at);
  if (!named) return undefined;
  return {
    code: named.value,
    name: vocabulary.placeCodes.get(named.value) ?? '',
    length: named.length,
    isCode: false,
  };
}

export function startsWithCapital(token: Token | undefined): boolean {
  return /^\p{Lu}/u.test(token?.text ?? '');
}
