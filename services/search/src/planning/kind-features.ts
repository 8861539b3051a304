import { lexemeOf } from '../text/stem.ts';
import type { Vocabulary } from '../vocabulary/load-vocabulary.ts';

const READ_WORDS = 60;
const BREAKS: ReadonlySet<string> = new Set(
  'in at for with of near who that which whose to on by from as and or is are was were has have had do does'.split(' '),
);
const SUFFIX = 3;
const LEAST_SUFFIXED = 5;
const NUMBER = /^\d/;

/** Stems, bigrams, suffixes and the head noun. `@`: taken word; `@tech`; `@number`. */
export function kindFeatures(
  words: readonly string[],
  taken: ReadonlySet<number>,
  vocabulary: Pick<Vocabulary, 'technologies' | 'stopWords'>,
): string[] {
  const read = readable(words, taken, vocabulary);
  const symbols = ['^', ...read.map(({ symbol }) => symbol), '$'];
  const features = new Set<string>();
  for (const [at, symbol] of symbols.entries()) {
    if (symbol !== '^' && symbol !== '$') features.add(symbol);
    if (at + 1 < symbols.length) features.add(`${symbol} ${symbols[at + 1]}`);
  }
  const content = read.filter(({ word }) => word !== '' && !vocabulary.stopWords.has(word));
  for (const { word } of content) for (const end of endOf(word)) features.add(`-${end}`);
  const head = headOf(read, vocabulary);
  if (head) {
    features.add(`head:${head.symbol}`);
    for (const end of endOf(head.word)) features.add(`head:-${end}`);
  }
  return [...features];
}

interface ReadWord {
  readonly word: string;
  readonly symbol: string;
}

function readable(
  words: readonly string[],
  taken: ReadonlySet<number>,
  { technologies }: Pick<Vocabulary, 'technologies'>,
): ReadWord[] {
  const read: ReadWord[] = [];
  const any = (symbol: string) => {
    if (read.at(-1)?.symbol !== symbol) read.push({ word: '', symbol });
  };
  for (let at = 0; at < Math.min(words.length, READ_WORDS); at += 1) {
    const word = words[at] ?? '';
    const technology = taken.has(at) ? undefined : technologies.longestAt(words, at);
    if (technology) {
      any('@tech');
      at += technology.length - 1;
    } else if (taken.has(at)) any('@');
    else if (NUMBER.test(word)) any('@number');
    else read.push({ word, symbol: lexemeOf(word) ?? word });
  }
  return read;
}

function headOf(read: readonly ReadWord[], { stopWords }: Pick<Vocabulary, 'stopWords'>): ReadWord | undefined {
  const isContent = ({ word }: ReadWord) => word !== '' && !stopWords.has(word);
  const first = read.findIndex(isContent);
  if (first < 0) return undefined;
  const end = read.findIndex(({ word, symbol }, at) => at > first && (BREAKS.has(word) || symbol === '@'));
  return read.slice(first, end < 0 ? read.length : end).findLast(isContent);
}

function endOf(word: string): string[] {
  const bare = word.replace(/s$/, '');
  return bare.length < LEAST_SUFFIXED ? [] : [bare.slice(-SUFFIX)];
}
