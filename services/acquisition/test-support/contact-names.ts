import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

const CONTACT_MEMBER = /contact|^(?:ri_)?(?:poc|pi)_|phone|e-?mail/i;
const NO_PERSON =
  /office|service|client|contract|department|division|questions?|naval|usace|procure|team|unit|desk|support|agency|cent(?:er|re)|fort |jersey|cecom|command|branch|district|specialist|officer|buyer|admin|solicitation|region|nasa|gsa|phone|email|fax|zack|acquisition|title|primary|secondary|manager|program/i;

export async function contactFieldsOf(file: string): Promise<string[]> {
  return contactTexts(/\.csv(?:\.gz)?$/.test(file) ? rowsOf(await textOf(file)) : await valuesIn(file));
}

export async function valuesIn(file: string): Promise<readonly unknown[]> {
  const text = await textOf(file);
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line));
  }
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

export function namesIn(fields: readonly string[]): string[] {
  const names = fields.flatMap((field) => field.split(/[\n;|]| - /)).flatMap(nameOf);
  return [...new Set(names.flatMap((name) => [name, name.split(' ').reverse().join(' ')]))];
}

function nameOf(text: string): string[] {
  const [first = '', second = ''] = text
    .replace(/^\s*Name:/, '')
    .split(',')
    .map((part) => part.trim());
  const name = first.includes(' ') ? first : `${second} ${first}`;
  const words = name.split(' ').filter((word) => /^\p{Lu}[\p{L}'’-]{2,}$/u.test(word));
  if (words.length < 2 || name.split(' ').length > 4 || NO_PERSON.test(name)) return [];
  return [
    [words[0], words.at(-1)]
      .join(' ')
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, ' '),
  ];
}

export function contactTexts(value: unknown, isContact = false): string[] {
  if (typeof value === 'string') return isContact ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => contactTexts(item, isContact));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    contactTexts(member, isContact || CONTACT_MEMBER.test(name)),
  );
}

function rowsOf(text: string): unknown {
  return parse(text, { bom: true, columns: true, relax_column_count: true });
}
