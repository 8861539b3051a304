import { isObject } from '../extract/json.ts';
import { isPersonName } from '../extract/persons.ts';

/** What stands in a kept text where the source named a contact person. */
export const TAKEN_OUT = '[name]';

const MOST_NAMES = 40;
/** Levels of any format's records; what lies deeper is not kept. */
const MOST_LEVELS = 100;

/**
 * The names of persons that contact fields give, in both orders and in capitals: what a record must not keep anywhere else
 * either. Names of offices are none.
 */
export function contactNames(fields: readonly unknown[]): string[] {
  const names = fields
    .flatMap((field) => texts(field))
    .flatMap((text) => text.split(/[\n;|/]|<[^>]{0,200}>|\s[-–]\s|(?:name|title|phone|fax|email|contact)\s?:/i))
    .flatMap(readNames);
  return [...new Set(names)].slice(0, MOST_NAMES);
}

/** A value of JSON without the names, at every depth. */
export function withoutNames(value: unknown, names: readonly string[], level = 0): unknown {
  if (names.length === 0) return value;
  if (level > MOST_LEVELS) return undefined;
  if (typeof value === 'string') return takeOut(value, names);
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, names, level + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNames(member, names, level + 1)]));
}

/** `Quayle, Ada`, or `Ada Quayle, Contract Specialist`: the name and the name the other way round. */
function readNames(text: string): string[] {
  const plain = text.trim().replace(/\s+/g, ' ').replace(/^(?:Mr|Mrs|Ms|Mme|Dr|M)\.? /, '');
  const [first = '', second = ''] = plain.split(',').map((part) => part.trim());
  const isWhole = isPersonName(capitalised(first));
  const name = isWhole ? first : `${second} ${first}`.trim();
  if (!isPersonName(capitalised(name))) return [];
  const words = name.split(' ');
  const surname = words.at(-1) ?? '';
  const given = words.slice(0, -1).join(' ');
  return [`${given} ${surname}`, `${surname}, ${given}`, `${surname} ${given}`, `${words[0]} ${surname}`];
}

/** `ada.quayle` and `ada quayle` are names too. */
function capitalised(name: string): string {
  return name.replace(/(?<![\p{L}'’])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

function takeOut(text: string, names: readonly string[]): string {
  let rest = text;
  for (const name of names) rest = withoutName(rest, name);
  return rest;
}

/** Case apart, and only between letters: `Ada Quayle` is not in `Canada Quayles`. */
function withoutName(text: string, name: string): string {
  const folded = text.toLowerCase();
  const lower = folded.length === text.length ? folded : text;
  const wanted = lower === text ? name : name.toLowerCase();
  if (!lower.includes(wanted)) return text;
  let result = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    if (/\p{L}/u.test(lower.charAt(at - 1)) || /\p{L}/u.test(lower.charAt(end))) continue;
    result += text.slice(from, at) + TAKEN_OUT;
    from = end;
  }
  return result + text.slice(from);
}

function texts(value: unknown, level = 0): string[] {
  if (level > MOST_LEVELS) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => texts(item, level + 1));
  return isObject(value) ? Object.values(value).flatMap((member) => texts(member, level + 1)) : [];
}
