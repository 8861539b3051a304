import { readFileSync } from 'node:fs';
import { wordsOf } from '../text/words.ts';
import { type KindPhrase, parseKindPhrases } from './kind-phrases.ts';
import { PhraseTable } from './phrase-table.ts';
import { type PlaceName, parsePlaceNames } from './place-names.ts';

export interface Vocabulary {
  readonly stopWords: ReadonlySet<string>;
  /** These words count only if no other word is left. */
  readonly generic: ReadonlySet<string>;
  readonly kinds: PhraseTable<KindPhrase>;
  readonly technologies: PhraseTable<true>;
  readonly places: PhraseTable<readonly PlaceName[]>;
  readonly placeCodes: ReadonlyMap<string, string>;
  readonly states: PhraseTable<string>;
  readonly related: PhraseTable<readonly (readonly string[])[]>;
}

export const RELATED_WEIGHT = 0.35;

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
    related: parseRelated(lines('related.txt')),
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

function parseStopWords(lines: readonly string[]): Pick<Vocabulary, 'stopWords' | 'generic'> {
  const words = lines.flatMap((line) => line.split(/\s+/));
  return {
    stopWords: new Set(words.filter((word) => /^\w/.test(word))),
    generic: new Set(words.filter((word) => word.startsWith('~')).map((word) => word.slice(1))),
  };
}

function parseTechnologies(lines: readonly string[]): PhraseTable<true> {
  const table = new PhraseTable<true>();
  for (const phrase of lines.flatMap((line) => line.split(','))) table.set(wordsOf(phrase), true);
  return table;
}

function parseRelated(lines: readonly string[]): Vocabulary['related'] {
  const table: Vocabulary['related'] = new PhraseTable();
  for (const [from, to] of lines.flatMap(relationsOf)) table.set([from], [...(table.get([from]) ?? []), to]);
  return table;
}

type Relation = readonly [from: string, to: readonly string[]];

/** A phrase is only related to words, never the other way round. */
function relationsOf(line: string): Relation[] {
  const [left = '', right] = line.split(' > ');
  if (right !== undefined) {
    const phrases = right.split(',').map(wordsOf);
    return wordsOf(left).flatMap((from) => phrases.map((to): Relation => [from, to]));
  }
  const group = line.split(' = ').map(wordsOf);
  if (group.length < 2) throw new Error(`related.txt: cannot read "${line}"`);
  const words = group.flatMap((one) => (one.length === 1 ? one : []));
  return words.flatMap((from) => group.filter((to) => to.join() !== from).map((to): Relation => [from, to]));
}
