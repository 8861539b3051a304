import { readFileSync } from 'node:fs';
import { wordsOf } from '../text/words.ts';
import { type KindPhrase, parseKindPhrases, withoutElisions } from './kind-phrases.ts';
import { PhraseTable } from './phrase-table.ts';
import { type PlaceName, parsePlaceNames } from './place-names.ts';

export interface Vocabulary {
  readonly stopWords: ReadonlySet<string>;
  /** These words count only if no other word is left. */
  readonly generic: ReadonlySet<string>;
  readonly faint: ReadonlySet<string>;
  readonly kinds: PhraseTable<KindPhrase>;
  readonly technologies: PhraseTable<true>;
  readonly places: PhraseTable<readonly PlaceName[]>;
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly states: PhraseTable<string>;
  readonly related: PhraseTable<readonly RelatedPhrase[]>;
}

export interface RelatedPhrase {
  readonly words: readonly string[];
  readonly weight: number;
}

/** Names of trades, goods, services and jobs in everyday language and in records. */
export const TRADE_FILES = ['trades.txt', 'services.txt'] as const;

/** It is loaded once per process, because it is large and immutable. */
let loaded: Vocabulary | undefined;

/** Throws an error that names the faulty line of a file. */
export function loadVocabulary(): Vocabulary {
  loaded ??= readVocabulary();
  return loaded;
}

function readVocabulary(): Vocabulary {
  const directory = new URL('../../vocabulary/', import.meta.url);
  const lines = (file: string) => meaningfulLines(readFileSync(new URL(file, directory), 'utf8'));
  const places = parsePlaceNames(lines('places.txt'), lines('cities.txt'));
  return {
    ...parseStopWords(lines('stop-words.txt')),
    kinds: parseKindPhrases(lines('kinds.txt')),
    technologies: parseTechnologies(lines('technologies.txt')),
    places: places.table,
    placeCodes: places.codes,
    states: statesOf(places.codes),
    related: parseRelated({ [RELATED_WEIGHT]: lines('related.txt'), [TRADE_WEIGHT]: TRADE_FILES.flatMap(lines) }),
  };
}

function statesOf(codes: ReadonlyMap<string, string>): PhraseTable<string> {
  const table = new PhraseTable<string>();
  for (const [code, name] of codes) table.set(name.split(' '), code);
  return table;
}

function meaningfulLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function parseStopWords(lines: readonly string[]): Pick<Vocabulary, 'stopWords' | 'generic' | 'faint'> {
  const words = lines.flatMap((line) => line.split(/\s+/));
  return {
    stopWords: new Set(words.filter((word) => /^\w/.test(word))),
    generic: new Set(words.filter((word) => word.startsWith('~')).map((word) => word.slice(1))),
    faint: new Set(words.filter((word) => word.startsWith('%')).map((word) => word.slice(1))),
  };
}

function parseTechnologies(lines: readonly string[]): PhraseTable<true> {
  const table = new PhraseTable<true>();
  for (const phrase of lines.flatMap(listOf)) table.set(phrase, true);
  return table;
}

function parseRelated(linesOf: Readonly<Record<number, readonly string[]>>): PhraseTable<readonly RelatedPhrase[]> {
  const table = new PhraseTable<readonly RelatedPhrase[]>();
  for (const [weight, lines] of Object.entries(linesOf))
    for (const [from, words] of lines.flatMap(relationsOf))
      table.set(from, [...(table.get(from) ?? []), { words, weight: Number(weight) }]);
  return table;
}

type Relation = readonly [from: readonly string[], to: readonly string[]];

function relationsOf(line: string): Relation[] {
  const [left = '', right] = line.split(' > ');
  if (right !== undefined) return listOf(left).flatMap((from) => listOf(right).map((to): Relation => [from, to]));
  const group = line.split(' = ').map(wordsOf);
  if (group.length < 2) throw new Error(`related.txt, ${TRADE_FILES.join(', ')}: cannot read "${line}"`);
  return group.flatMap((from) => group.filter((to) => to !== from).map((to): Relation => [from, to]));
}

export const RELATED_WEIGHT = 0.35;
/** Ranking at most doubles it, so it never exceeds the weight of the query's own word. */
const TRADE_WEIGHT = 0.5;

function listOf(text: string): string[][] {
  return text.split(',').flatMap(withoutElisions);
}
