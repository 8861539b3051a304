// @module-tag nightly
import { readFile as readBytes } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { DriftWatch } from '../src/ingest/drift.ts';
import { documentOfText, readDocument } from '../test-support/read-file.ts';
import { type ReadSource, summarise } from '../test-support/read-source.ts';
import { COMPANY_JSON, documentFile, JSON_DOCUMENTS, TABLES } from '../test-support/source-documents.ts';

const RUNS = { numRuns: 25 };
/** All readings have one time, because some observations expire relative to it. */
const SEEN_AT = new Date();
const ALL_JSON = [...JSON_DOCUMENTS, ...COMPANY_JSON];

interface Table {
  readonly preamble: readonly string[][];
  readonly header: readonly string[];
  readonly rows: readonly string[][];
}

async function readTable(path: string): Promise<Table> {
  const text = (await readBytes(documentFile(path))).toString('utf8').replace(/^\ufeff/, '');
  const lines: string[][] = parse(text, { relax_column_count: true, skip_empty_lines: true });
  const at = lines.findIndex((line) => line.length > 5);
  return { preamble: lines.slice(0, at), header: lines[at] ?? [], rows: lines.slice(at + 1) };
}

function toBytes({ preamble, header, rows }: Table): Buffer {
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return Buffer.from([...preamble, header, ...rows].map((cells) => `${line(cells)}\r\n`).join(''));
}

async function read(source: Source, bytes: Buffer | string): Promise<ReadSource> {
  return summarise(await readDocument(source, documentOfText(bytes, { fetchedAt: SEEN_AT })));
}

/** Sorts the results. A record without a number is identified by its line, which moves. */
function factsOf({ observations, closings, refused, leftOut }: ReadSource): unknown {
  const byText = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
  return [byText(observations), byText(closings), [...refused].sort(), [...leftOut].sort()];
}

function order(length: number): fc.Arbitrary<number[]> {
  const indexes = Array.from({ length }, (_, index) => index);
  return fc.shuffledSubarray(indexes, { minLength: length, maxLength: length });
}

describe.each(TABLES)('$path', ({ source, path }) => {
  test('shuffled rows and columns say the same', async () => {
    const table = await readTable(path);
    const expected = factsOf(await read(source, await readBytes(documentFile(path))));
    await fc.assert(
      fc.asyncProperty(order(table.header.length), order(table.rows.length), async (columns, rows) => {
        const pick = (cells: readonly string[]) => columns.map((index) => cells[index] ?? '');
        const shuffled = { ...table, header: pick(table.header), rows: rows.map((row) => pick(table.rows[row] ?? [])) };
        expect(factsOf(await read(source, toBytes(shuffled)))).toEqual(expected);
      }),
      RUNS,
    );
  });

  test('renamed columns raise drift, or say the same', async () => {
    const table = await readTable(path);
    const expected = factsOf(await read(source, await readBytes(documentFile(path))));
    await fc.assert(
      fc.asyncProperty(fc.subarray([...table.header.keys()], { minLength: 1, maxLength: 3 }), async (renamed) => {
        const header = table.header.map((name, index) => (renamed.includes(index) ? `new-${name}` : name));
        const after = await read(source, toBytes({ ...table, header }));
        const drift = new DriftWatch(source.fields);
        for (const raw of after.raws) drift.observe(raw.fields);
        if (drift.missing().length === 0) expect(factsOf(after)).toEqual(expected);
        else expect(after.observations.length + after.closings.length).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(ALL_JSON)('$path', ({ source, path }) => {
  test('shuffled members say the same', async () => {
    const text = await readBytes(documentFile(path), 'utf8');
    const expected = factsOf(await read(source, text));
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        expect(factsOf(await read(source, JSON.stringify(shuffled(JSON.parse(text), numbers))))).toEqual(expected);
      }),
      RUNS,
    );
  });
});

const NAMED_JSON = ALL_JSON.filter(({ source }) => source.fields.required.some(isMember));

function isMember(name: string): boolean {
  return !name.includes(' ');
}

describe.each(NAMED_JSON)('$path', ({ source, path }) => {
  test.each(source.fields.required.filter(isMember))('with %s renamed it says nothing', async (name) => {
    const text = await readBytes(documentFile(path), 'utf8');
    const after = await read(source, JSON.stringify(renamed(JSON.parse(text), name)));
    expect([...after.observations, ...after.closings]).toEqual([]);
    expect(after.refused.length).toBeGreaterThan(0);
  });
});

function renamed(value: unknown, name: string, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, name, path));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([member, inner]) => {
    const at = `${path}.${member}`;
    return [at.endsWith(`.${name}`) ? `new-${member}` : member, renamed(inner, name, at)];
  });
  return Object.fromEntries(members);
}

function shuffled(value: unknown, numbers: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, numbers));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    member: shuffled(member, numbers),
    rank: numbers.next().value,
  }));
  return Object.fromEntries(members.sort((a, b) => a.rank - b.rank).map(({ name, member }) => [name, member]));
}
