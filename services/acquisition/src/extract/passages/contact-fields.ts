import { NAME_TAKEN_OUT } from '@ces/proto/contact-details';
import { foldText } from '@ces/proto/folded-text';
import { normalText } from '@ces/proto/normal-text';
import { isObject } from '../formats/json.ts';
import { mapTexts } from '../formats/members.ts';
import { isPersonName } from './persons.ts';

const MOST_NAMES = 40;
/** UTF-16 units. A name with a role is shorter. */
const MOST_FIELD_LENGTH = 200;
/** May be markup: `&amp;nbsp;`, `</b> <b>`. */
const MOST_BETWEEN_WORDS = 16;
const MARKUP: ReadonlySet<string> = new Set(['amp', 'nbsp', 'lt', 'gt', 'b', 'i', 'u', 'br', 'p', 'span', 'strong']);
const MOST_LEVELS = 100;

/** Finds both word orders, but no offices. A record must not keep these names elsewhere. */
export function contactNames(fields: readonly unknown[]): string[] {
  const names = fields
    .flatMap((field) => texts(field))
    .map((text) => foldText(text).text)
    .flatMap((text) => text.split(/[\n;|/]|<[^>]{0,200}>|\s[-–]\s|(?:name|title|phone|fax|email|contact)\s?:/i))
    .flatMap(readNames);
  return [...new Set(names)].slice(0, MOST_NAMES);
}

/** Whole sentences. Other members name organisations, so names stay in them. */
const FREE_TEXT = /title|desc(?:ription)?|abstract|rationale|details|titre/i;

export function withoutNames(value: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return value;
  return mapTexts(value, (text, path) => (path.some((name) => FREE_TEXT.test(name)) ? takeOut(text, names) : text));
}

function readNames(text: string): string[] {
  const plain = text
    .trim()
    .slice(0, MOST_FIELD_LENGTH)
    .replace(/\s+/g, ' ')
    .replace(/^(?:Mr|Mrs|Ms|Mme|Dr|M)\.? /, '')
    .replace(/(?<=\p{L})[._](?=\p{L})/gu, ' ');
  const [first = '', second = ''] = plain.split(',').map(bareName);
  const isWhole = isPersonName(capitalised(first));
  const name = isWhole ? first : `${second} ${first}`.trim();
  if (!isPersonName(capitalised(name))) return [];
  const words = name.split(' ');
  const surname = words.at(-1) ?? '';
  const given = words.slice(0, -1).join(' ');
  const called = words[0] ?? '';
  return [`${given} ${surname}`, `${surname} ${given}`, `${called} ${surname}`, `${surname} ${called}`];
}

function bareName(part: string): string {
  const words = part.trim().split(' ');
  const end = words.findIndex((word) => /^[(+]?\d/.test(word) || /^(?:jr|sr|ii|iii)\.?$/i.test(word));
  return words
    .slice(0, end < 0 ? undefined : end)
    .join(' ')
    .replace(/\d{1,3}$/, '');
}

function capitalised(name: string): string {
  return name.replace(/(?<![\p{L}'’])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

function takeOut(text: string, names: readonly string[]): string {
  const { text: read, spanOf } = foldText(text);
  const words = wordsOf(read).map((word) => ({ ...word, ...spanOf(word.start, word.end) }));
  const wanted = names.map((name) => wordsOf(name).map((word) => word.folded));
  let result = '';
  let from = 0;
  for (const [index, word] of words.entries()) {
    if (word.start < from) continue;
    const length = Math.max(0, ...wanted.filter((name) => standsAt(words, index, name)).map((name) => name.length));
    const last = words[index + length - 1];
    if (length === 0 || !last) continue;
    result += text.slice(from, word.start) + NAME_TAKEN_OUT;
    from = last.end;
  }
  return result + text.slice(from);
}

function standsAt(words: readonly Word[], at: number, name: readonly string[]): boolean {
  return name.every((folded, offset) => {
    const word = words[at + offset];
    const before = words[at + offset - 1];
    const isNear = offset === 0 || (word && before && word.start - before.end <= MOST_BETWEEN_WORDS);
    return isNear && word?.folded === folded;
  });
}

interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\p{L}[\p{L}'’-]*/gu)]
    .map(({ index, 0: word }) => ({
      start: index,
      end: index + word.length,
      folded: withoutAccents(word.toLowerCase()),
    }))
    .filter(({ folded }) => !MARKUP.has(folded));
}

function withoutAccents(word: string): string {
  return normalText(word, 'NFD').replace(/\p{M}/gu, '');
}

function texts(value: unknown, level = 0): string[] {
  if (level > MOST_LEVELS) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => texts(item, level + 1));
  return isObject(value) ? Object.values(value).flatMap((member) => texts(member, level + 1)) : [];
}
