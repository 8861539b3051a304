import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { NOT_RECORDED } from '@ces/proto/not-recorded';
import { wordsOf } from '../text/words.ts';
import { formsOf } from './inflections.ts';
import { PhraseTable } from './phrase-table.ts';

export interface KindPhrase {
  readonly kind: Kind;
  readonly limitation?: string;
  /** Words as search terms: not at all, as support for the kind, or as part of the request. */
  readonly searched: 'no' | 'support' | 'ask';
  /** Always, as the whole query, without another kind, or next to a technology. */
  readonly names: 'always' | 'alone' | 'withoutOtherKinds' | 'besideTechnology';
}

type Sign = ':' | '+' | '&' | '~' | '=' | '?';
const MEANINGS: Readonly<Record<Sign, Pick<KindPhrase, 'searched' | 'names'>>> = {
  ':': { searched: 'no', names: 'always' },
  '+': { searched: 'support', names: 'always' },
  '&': { searched: 'ask', names: 'always' },
  '~': { searched: 'support', names: 'withoutOtherKinds' },
  '=': { searched: 'support', names: 'alone' },
  '?': { searched: 'no', names: 'besideTechnology' },
};
/** Among several lines of a phrase, the last sign here wins: it is the most certain. */
const ORDER: readonly Sign[] = ['=', '?', '~', '&', '+', ':'];
const NO_KIND = 'no_kind';

type Lists = ReadonlyMap<string, readonly string[]>;

/** Its header documents the format. Throws an error that names the faulty line. */
export function parseKindPhrases(lines: readonly string[]): PhraseTable<KindPhrase> {
  const lists: Lists = new Map(lines.flatMap(listIn));
  const read = lines.filter((line) => !line.startsWith('@')).map(readLine);
  const table = new PhraseTable<KindPhrase>();
  for (const { value, phrases, line } of read.toSorted((a, b) => ORDER.indexOf(a.sign) - ORDER.indexOf(b.sign)))
    for (const phrase of phrases.split(', '))
      for (const words of spelledOut(phrase, lists, line).flatMap(withoutElisions)) table.set(words, value);
  return table;
}

function listIn(line: string): [string, readonly string[]][] {
  const [, name, items = ''] = /^(@\w+) = (.+)$/.exec(line) ?? [];
  return name === undefined ? [] : [[name, items.split(', ')]];
}

function readLine(line: string) {
  const [, name = '', mark = '', phrases = ''] = /^(\w+) ([:+&~=?]) (.+)$/.exec(line) ?? [];
  const sign = mark as Sign;
  const isLimitation = Object.hasOwn(NOT_RECORDED, name);
  const kind = isLimitation || name === NO_KIND ? Kind.UNSPECIFIED : Kind[name.toUpperCase() as keyof typeof Kind];
  if (kind === undefined) throw new Error(`kinds.txt: cannot read "${line}"`);
  const meaning = { ...MEANINGS[sign], ...(kind === Kind.UNSPECIFIED && { searched: 'ask' as const }) };
  const value: KindPhrase = { kind, ...(isLimitation && { limitation: name }), ...meaning };
  return { sign, value, phrases, line };
}

function spelledOut(phrase: string, lists: Lists, line: string): string[] {
  const [placeholder] = /@\w+|\(\w+\)/.exec(phrase) ?? [];
  if (placeholder === undefined) return [phrase];
  const items = placeholder.startsWith('@') ? lists.get(placeholder) : formsOf(placeholder.slice(1, -1));
  if (!items) throw new Error(`kinds.txt: there is no list ${placeholder} for "${line}"`);
  return items.flatMap((item) => spelledOut(phrase.replace(placeholder, item), lists, line));
}

/** Adds the form without elided articles ("appel d'offres"), as queries are read. */
function withoutElisions(phrase: string): string[][] {
  const words = wordsOf(phrase);
  const plain = words.filter((word, at) => at === 0 || !['d', 'l'].includes(word));
  return plain.length < words.length && plain.length > 1 ? [words, plain] : [words];
}
