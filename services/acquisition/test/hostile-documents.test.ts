// @module-tag nightly
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { superlinear, superlinearAsync, threadMs } from '@ces/test/support/growth.ts';
import { HOSTILE_TEXTS } from '@ces/test/support/linear/hostile-texts.ts';
import { volumeOf } from '@ces/test/support/volume.ts';
import { describe, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { safePassage } from '../src/extract/passages/passage.ts';
import { RobotsRules } from '../src/fetch/robots.ts';
import { decompressed } from '../src/run/read-file.ts';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { secFormD } from '../src/sources/sec-form-d/source.ts';
import {
  jsonStructures,
  type Place,
  placesOf,
  type Structure,
  SUBMISSION_PLACES,
  SUBMISSION_STRUCTURES,
  tableStructures,
  xmlStructures,
} from '../test-support/hostile-documents.ts';
import { documentOfText, readDocument } from '../test-support/read-file.ts';
import { COMPANY_DOCUMENTS, DOCUMENTS, documentFile } from '../test-support/source-documents.ts';

// S14: a document takes time in proportion to its length, whatever its content and its pieces.
const SCREENED_SIZE = 65_536;
/** A document that takes longer is measured again over doubled sizes. */
const SUSPICIOUS_MS = 100;
/** Largest ratio to the time for a quarter of the size. */
const SUSPICIOUS_TIMES = 7;
const MEASURED = { from: 65_536, to: 131_072 };
const PIECE_BYTES = 1_024;

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function read(source: Source, text: string): Promise<void> {
  try {
    await readDocument(source, { ...documentOfText(''), body: pieces(text) });
  } catch (error) {
    if (error instanceof TypeError || /call stack/.test(String(error))) throw error;
  }
}

async function timeOf(source: Source, text: string): Promise<number> {
  const start = threadMs();
  await read(source, text);
  return threadMs() - start;
}

async function faultsOf(source: Source, shapes: Iterable<Structure>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, make] of shapes) {
    const took = await timeOf(source, make(SCREENED_SIZE));
    if (took < SUSPICIOUS_MS || took < SUSPICIOUS_TIMES * (await timeOf(source, make(SCREENED_SIZE / 4)))) continue;
    const slow = await superlinearAsync(make, (each) => read(source, each), MEASURED);
    if (slow) faults.push(`${name}: ${slow}`);
  }
  return faults;
}

/** Puts each text at one of the places, or at every place with more CES_TEST_VOLUME. */
function textsAt(places: readonly Place[]): Structure[] {
  const much = volumeOf(1, places.length);
  return HOSTILE_TEXTS.flatMap(({ name, make }, index) =>
    Array.from({ length: much }, (_, more): Structure => {
      const at = (index + more) % places.length;
      return [`place ${at}, ${name}`, (size) => places[at]?.(make(size)) ?? ''];
    }),
  );
}

function structuresOf(path: string, sample: string): Structure[] {
  if (path.endsWith('.csv')) return tableStructures(sample);
  if (path.endsWith('.xml')) return xmlStructures(sample);
  if (path.endsWith('.json')) return jsonStructures(sample);
  const line = sample.split('\n').find((one) => one.includes('"title"')) ?? '';
  return [
    ...jsonStructures(line),
    ['lines', (size) => `${line}\n`.repeat(Math.ceil(size / line.length))],
    ['short lines', (size) => '{}\n'.repeat(size / 3)],
    ['a line that does not end', (size) => `${line}\n"${'a'.repeat(size)}`],
  ];
}

const TIMEOUT = { timeout: 300_000 };

describe.each([...DOCUMENTS, ...COMPANY_DOCUMENTS])('$path', ({ source, path }) => {
  const sample = readFileSync(documentFile(path), 'utf8');

  test('hostile texts in every text field', TIMEOUT, async () => {
    const places = placesOf(path, sample);
    expect(places.length).toBeGreaterThan(5);
    expect(await faultsOf(source, textsAt(places))).toEqual([]);
  });

  test('hostile structures', TIMEOUT, async () => {
    expect(await faultsOf(source, structuresOf(path, sample))).toEqual([]);
  });
});

describe.each([sec8k, secFormD])('full submissions of $name', (source) => {
  test('hostile texts in every text field', TIMEOUT, async () => {
    expect(await faultsOf(source, textsAt(SUBMISSION_PLACES))).toEqual([]);
  });

  test('hostile structures', TIMEOUT, async () => {
    expect(await faultsOf(source, SUBMISSION_STRUCTURES)).toEqual([]);
  });
});

test('a robots.txt, its rules and one long rule', TIMEOUT, async () => {
  const ask = async (text: string) => {
    const rules = new RobotsRules(async () => text, 'ces');
    await rules.ask(new URL(`https://source.example/${'a'.repeat(100)}`));
  };
  const faults: string[] = [];
  for (const { name, make } of HOSTILE_TEXTS) {
    const rule = `Disallow: /${make(60).replace(/\s/g, '')}*a\n`;
    const rules = (size: number) => `User-agent: *\n${rule.repeat(size / rule.length)}`;
    for (const text of [make, rules, (size: number) => `User-agent: *\nDisallow: /${make(size)}`])
      faults.push(
        ...[(await superlinearAsync(text, ask, { from: 65_536, to: 65_536 })) ?? []]
          .flat()
          .map((slow) => `${name}: ${slow}`),
      );
  }
  expect(faults).toEqual([]);
});

test('a robots.txt of programs and rules, and one of wildcards for a long address', TIMEOUT, async () => {
  const half = (line: string, size: number) => line.repeat(size / 2 / line.length);
  for (const program of ['*', 'ces', 'a']) {
    const text = (size: number) => half(`User-agent: ${program}\n`, size) + half('Disallow: /b\n', size);
    const ask = async (each: string) => {
      await new RobotsRules(async () => each, 'ces').ask(new URL('https://source.example/a'));
    };
    expect(await superlinearAsync(text, ask, { from: 16_384, to: 65_536 }), program).toBeUndefined();
  }
  const wildcards = async (each: string) => {
    const address = new URL(`https://source.example/${each.slice(0, 16_384)}`);
    await new RobotsRules(async () => `User-agent: *\nDisallow: /${'*a'.repeat(each.length * 8)}`, 'ces').ask(address);
  };
  expect(await superlinearAsync((size) => 'a'.repeat(size), wildcards, { from: 2_048, to: 16_384 })).toBeUndefined();
});

test('unpacked files', async () => {
  const unpack = async (bytes: Uint8Array) => {
    for await (const _ of decompressed(
      (async function* () {
        for (let at = 0; at < bytes.length; at += 64) yield bytes.subarray(at, at + 64);
      })(),
      () => bytes.length,
    ));
  };
  const packed = (size: number) => gzipSync(Buffer.from('a,"b"\n'.repeat(size)));
  expect(await superlinearAsync(packed, unpack, { from: 65_536, to: 4_194_304 })).toBeUndefined();
});

test.each(HOSTILE_TEXTS)('the passage that is quoted of $name', ({ make }) => {
  expect(superlinear(make, (text) => safePassage(text), MEASURED)).toBeUndefined();
});
