// @module-tag nightly
import { readFile as readBytes } from 'node:fs/promises';
import { hiddenCharacters, UNSEEN } from '@ces/proto/test-support/hidden-characters';
import { visibleText } from '@ces/proto/visible-text';
import { expect, test } from 'vitest';
import { readFile } from '../../test-support/read-file.ts';
import { COMPANY_DOCUMENTS, DOCUMENTS, documentFile } from '../../test-support/source-documents.ts';
import type { RawRecord } from '../connector/source.ts';
import { readRecord } from './read-record.ts';

// S18: no connector returns invisible characters, whatever its documents contain.
/** A text with NUL is refused as a whole. */
const HIDDEN = hiddenCharacters().filter((character) => character !== '\0' && visibleText(`a${character}b`) === 'ab');
const FORMATS = HIDDEN.filter((character) => !/\p{Cc}/u.test(character)).join('');
const NOW = new Date('2026-11-22T00:00:00Z');

/**
 * Inserts the characters after the first letter of words, in every string that reads like words.
 */
function hide(content: string, characters: string): string {
  const inWords = (text: string) => text.replace(/(?<![\p{L}\d])\p{L}(?=\p{L}{3})/gu, (letter) => letter + characters);
  try {
    return JSON.stringify(JSON.parse(content), (_key, value) =>
      typeof value === 'string' && /\p{L} \p{L}/u.test(value) ? inWords(value) : value,
    );
  } catch {
    return content.replace(/(?<=>|\n)[^<>\n]*\p{L} \p{L}[^<>\n]*/gu, inWords);
  }
}

function expectNothingHidden(value: unknown, where: string): number {
  if (typeof value === 'string') {
    expect(value, where).not.toMatch(UNSEEN);
    expect(visibleText(value), where).toBe(value);
    return 1;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + expectNothingHidden(each, `${where}.${key}`), 0);
}

test.each([...DOCUMENTS, ...COMPANY_DOCUMENTS])('$path', async ({ source, path }) => {
  expect((await readBytes(documentFile(path))).length).toBeGreaterThan(0);
  const { raws } = await readFile(source, documentFile(path).pathname);
  for (const raw of raws as readonly RawRecord[]) {
    const plain = readRecord(source, raw, NOW);
    const hidden = readRecord(source, { ...raw, content: hide(raw.content, FORMATS) }, NOW);
    if (plain.text !== undefined) expect(hidden.text, JSON.stringify(hidden.refusals)).toBe(plain.text);
    expect(hidden.observations).toEqual(plain.observations);
    // Control characters may break a format. The record is then refused.
    const withControls = readRecord(source, { ...raw, content: hide(raw.content, HIDDEN.join('')) }, NOW);
    for (const { text, observations } of [hidden, withControls]) {
      expectNothingHidden({ text, observations }, raw.key);
      for (const excerpt of observations.flatMap(({ excerpts }) => excerpts)) expect(text).toContain(excerpt);
    }
  }
});
