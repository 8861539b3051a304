import { readFileSync } from 'node:fs';
import { wordsOf } from '../text/words.ts';
import { type KindPhrase, parseKindPhrases, withoutElisions } from './kind-phrases.ts';
import { type KindWeights, parseKindWeights } from './kind-weights.ts';
import { PhraseTable } from './phrase-table.ts';
import { type PlaceName, parsePlaceNames } from './place-names.ts';

/** What the words of a query mean; read from the reviewable files in `vocabulary/`. */
export interface Vocabulary {
  /** Words the index does not know, and words of asking. */
  readonly stopWords: ReadonlySet<string>;
  /** Words that count only when nothing else is left. */
  readonly generic: ReadonlySet<string>;
  /** Words that weigh little. */
  readonly faint: ReadonlySet<string>;
  readonly kinds: PhraseTable<KindPhrase>;
  /** What words say of a kind that no phrase names. */
  readonly kindWeights: KindWeights;
  readonly technologies: PhraseTable<true>;
  /** Meanings of a place's name, the best known first. */
  readonly places: PhraseTable<readonly PlaceName[]>;
  /** Codes of states and provinces with the name each stands for. */
  readonly placeCodes: ReadonlyMap<string, string>;
  /** The codes of states and provinces by those names. */
  readonly states: PhraseTable<string>;
  readonly related: PhraseTable<readonly RelatedPhrase[]>;
}

export interface RelatedPhrase {
  readonly words: readonly string[];
  readonly weight: number;
}

/** What people call a trade, a good, a service or a job, and what records call it. */
export const TRADE_FILES = ['trades.txt', 'services.txt'] as const;

/** Read once in a process: it is large, and nothing changes it. */
let loaded: Vocabulary | undefined;

/** Reads `vocabulary/`; a mistake in a file is an error that names the line. */
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
    kindWeights: parseKindWeights(lines('kind-weights.txt')),
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

/** Lines by the weight of what is related in them. */
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

/** Weight of a related phrase; chosen by measurement (npm run lab -- relevance-ablation). */
export const RELATED_WEIGHT = 0.35;
/** Weight of what records call a trade, beside what people call it: at most doubled, so that it never weighs more than a word itself. */
const TRADE_WEIGHT = 0.5;

/** The phrases of a list. */
function listOf(text: string): string[][] {
  return text.split(',').flatMap(withoutElisions);
}
