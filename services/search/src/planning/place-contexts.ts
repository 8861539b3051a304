import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';
import type { PlaceName } from '../vocabulary/place-names.ts';
import type { PlaceMention } from './place-mention.ts';
import type { Token } from './tokens.ts';

/** Next to one of these neighbours of the capital, Washington is not the state. */
const BY_THE_CAPITAL: ReadonlySet<string> = new Set(['maryland', 'virginia', 'northern virginia', 'the district']);
const FAR_FROM_THE_CAPITAL: ReadonlySet<string> = new Set([
  'oregon',
  'idaho',
  'california',
  'montana',
  'alaska',
  'british columbia',
]);
const NEARNESS: ReadonlySet<string> = new Set(
  'around near greater metro metropolitan area region suburbs vicinity beltway'.split(' '),
);
/** These words have no meaning before a place's preposition: "anywhere in Canada". */
const ANYWHERE: ReadonlySet<string> = new Set('anywhere somewhere everywhere anyplace wherever partout'.split(' '));
const PREPOSITIONS: ReadonlySet<string> = new Set(
  'in within across throughout around near of at inside over en dans au a'.split(' '),
);
/** These words have no meaning after a place: "in Quebec towns", "across Ontario cities". */
const SETTLEMENTS: ReadonlySet<string> = new Set(
  'towns cities villages communities municipalities counties locations sites'.split(' '),
);
const ARTICLES: ReadonlySet<string> = new Set(['the', 'le', 'la', 'l', 'les']);

export function inContext(
  mentions: readonly PlaceMention[],
  tokens: readonly Token[],
  vocabulary: Vocabulary,
): PlaceMention[] {
  const capital = vocabulary.places.get(['washington', 'd', 'c'])?.[0];
  const isByCapital =
    mentions.some((mention) => BY_THE_CAPITAL.has(saidIn(mention, tokens))) &&
    !mentions.some((mention) => FAR_FROM_THE_CAPITAL.has(saidIn(mention, tokens)));
  const meant = mentions.map((mention) =>
    capital && isCapitalCity(mention, tokens, isByCapital) ? { ...mention, ...capital, isCity: true } : mention,
  );
  const district =
    capital && meant.some(({ names }) => names === capital.names || isByCapital) ? districtAt(tokens, capital) : [];
  return [...meant, ...district].map((mention) => widened(mention, tokens));
}

function saidIn({ start, length }: PlaceMention, tokens: readonly Token[]): string {
  return tokens
    .slice(start, start + length)
    .map(({ word }) => word)
    .join(' ');
}

function isCapitalCity(mention: PlaceMention, tokens: readonly Token[], isByCapital: boolean): boolean {
  const words = saidIn(mention, tokens).split(' ');
  if (!words.includes('washington') || words.some((word) => word !== 'washington' && !NEARNESS.has(word))) return false;
  const behind = tokens[mention.start + mention.length]?.word ?? '';
  const before = tokens[mention.start - 1]?.word ?? '';
  return isByCapital || words.length > 1 || NEARNESS.has(behind) || NEARNESS.has(before);
}

function districtAt(tokens: readonly Token[], capital: PlaceName): PlaceMention[] {
  const at = tokens.findIndex(({ text }, index) => text === 'District' && tokens[index - 1]?.word === 'the');
  const isLonger = tokens[at + 1]?.word === 'of';
  return at < 0 || isLonger ? [] : [{ ...capital, start: at, length: 1, isCity: true }];
}

function widened(mention: PlaceMention, tokens: readonly Token[]): PlaceMention {
  const word = (at: number) => tokens[at]?.word ?? '';
  let { start, length } = mention;
  const before = ARTICLES.has(word(start - 1)) ? start - 2 : start - 1;
  const stands = PREPOSITIONS.has(word(before));
  if (stands && SETTLEMENTS.has(word(start + length))) length += 1;
  if (stands && ANYWHERE.has(word(before - 1))) {
    length += start - (before - 1);
    start = before - 1;
  }
  return start === mention.start && length === mention.length ? mention : { ...mention, start, length };
}
