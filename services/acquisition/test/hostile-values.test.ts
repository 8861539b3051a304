// @module-tag nightly
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { type Place, placesOf, valuePlacesOf } from '../test-support/hostile-documents.ts';
import { documentOfText, readDocument } from '../test-support/read-file.ts';
import { COMPANY_JSON, documentFile, JSON_DOCUMENTS, TABLES } from '../test-support/source-documents.ts';

/** Values of another type than any format has, or with members that JavaScript itself has. */
const VALUES: readonly unknown[] = [
  ...[0, 1e300, true, null, '', [], {}, [null], [[]], [1]],
  ...[{ toString: 1, valueOf: 1 }, [{ toString: 1, valueOf: 1 }], { text: { text: 'a' } }, { length: 1 }],
];
/** Names of built-in members, lone surrogates, and invalid dates. */
const TEXTS: readonly string[] = [
  ...['constructor', '__proto__', 'a\ud800', `${'a'.repeat(39)}\u{1F6A2}b`, `${'a'.repeat(399)}\u{1F6A2}b`, 'a\0b'],
  ...['2026-02-30', '0001-01-01T00:00:00Z', '9999-12-31', '-1', '\u202Ea', '<b', '\u{1F6A2}'.repeat(500)],
  'Weir '.repeat(600),
];

describe.each([...JSON_DOCUMENTS, ...COMPANY_JSON])('$path', ({ source, path }) => {
  test('a value of another type, or a hostile text, in any place costs its record at most', async () => {
    const sample = readFileSync(documentFile(path), 'utf8');
    expect(await faultsOf(source, valuePlacesOf(sample), [...VALUES, ...TEXTS])).toEqual([]);
  });
});

describe.each(TABLES)('$path', ({ source, path }) => {
  test('a hostile text in any cell costs its record at most', async () => {
    const places = placesOf(path, readFileSync(documentFile(path), 'utf8'));
    expect(await faultsOf(source, places as Place<unknown>[], TEXTS)).toEqual([]);
  });
});

async function faultsOf(source: Source, places: readonly Place<unknown>[], values: readonly unknown[]) {
  const faults = new Set<string>();
  for (const [at, place] of places.entries())
    for (const value of values) {
      const fault = await faultOf(source, place(value));
      if (fault) faults.add(`place ${at}, ${JSON.stringify(value)?.slice(0, 40)}: ${fault}`);
    }
  return [...faults];
}

/** Lengths in UTF-16 units beyond which lookup refuses a value. */
const LONGEST = { name: 1_000, key: 512, fact: 4_000, title: 2_000, address: 2_048 };

async function faultOf(source: Source, text: string): Promise<string | undefined> {
  try {
    const { records, followUps } = await readDocument(source, documentOfText(text));
    for (const { url } of followUps) if (!URL.canParse(url)) return `asks for ${url.slice(0, 80)}`;
    return records
      .flatMap(({ observations }) => observations)
      .flatMap(({ country, company, observedFact, sourceUri, title }) => [
        ...[country, company.country].filter((one) => one !== 'CA' && one !== 'US').map((one) => `country ${one}`),
        ...(/native code|\[object|\bNaN\b|\bundefined\b/.test(observedFact) ? [observedFact.slice(0, 80)] : []),
        ...(URL.canParse(sourceUri) ? [] : [`address ${sourceUri.slice(0, 80)}`]),
        ...(company.name.length > LONGEST.name ? ['the name is too long'] : []),
        ...(company.key !== undefined && company.key.length > LONGEST.key ? ['the key is too long'] : []),
        ...(observedFact.length > LONGEST.fact ? ['the fact is too long'] : []),
        ...((title ?? '').length > LONGEST.title ? ['the title is too long'] : []),
        ...(sourceUri.length > LONGEST.address ? ['the address is too long'] : []),
      ])[0];
  } catch (error) {
    return String(error).slice(0, 120);
  }
}
