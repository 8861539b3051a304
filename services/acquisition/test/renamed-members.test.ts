// @module-tag nightly
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { DriftWatch } from '../src/ingest/drift.ts';
import { cim } from '../src/sources/cim/source.ts';
import { fbo } from '../src/sources/fbo/source.ts';
import { ocds } from '../src/sources/ocds/source.ts';
import { sbirAwards } from '../src/sources/sbir-awards/source.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { documentOfText, readDocument } from '../test-support/read-file.ts';
import { type ReadSource, summarise } from '../test-support/read-source.ts';

/** Enough records to notice a member that all of them lack. */
const RECORDS = 120;
const SEEN_AT = new Date();

interface Renamable {
  readonly source: Source;
  readonly names: readonly string[];
  readonly text: (renamed?: string) => string;
}

function textOf(file: string): string {
  return gunzipSync(readFileSync(`${PUBLISHED}raw/${file}`)).toString('utf8');
}

function members(source: Source, value: unknown): Renamable {
  return {
    source,
    names: [...namesIn(value)],
    text: (renamed) => JSON.stringify(renamed === undefined ? value : rename(value, renamed)),
  };
}

function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) namesIn(member, names.add(name));
  return names;
}

function rename(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, member]) => [own === name ? `new-${own}` : own, rename(member, name)]),
  );
}

function releases(): Renamable {
  const { releases: all, ...rest } = JSON.parse(textOf('ocds_buyandsell/tenders_releases.json.gz'));
  return members(ocds, { ...rest, releases: all.slice(0, RECORDS) });
}

function notices(): Renamable {
  return members(fbo, JSON.parse(textOf('fbo/20140401.sample.json.gz')));
}

function awards(): Renamable {
  return members(sbirAwards, JSON.parse(readFileSync(`${PUBLISHED}fixtures/sbir/awards_page.json`, 'utf8')));
}

function facilities(): Renamable {
  const file = 'clean_investment_monitor/manufacturing_energy_and_industry_facility_metadata.csv.gz';
  const lines = textOf(file).split('\n');
  const at = lines.findIndex((line) => line.includes('unique_id'));
  const names = (lines[at] ?? '').trim().split(',');
  const headed = (renamed?: string) => names.map((name) => (name === renamed ? `new-${name}` : name)).join(',');
  const [before, rows] = [lines.slice(0, at), lines.slice(at + 1, at + 1 + RECORDS)];
  return { source: cim, names, text: (renamed) => [...before, headed(renamed), ...rows].join('\n') };
}

async function read(source: Source, text: string): Promise<ReadSource> {
  return summarise(await readDocument(source, documentOfText(text, { fetchedAt: SEEN_AT })));
}

function factsOf({ observations, closings }: ReadSource): string[] {
  return [...observations, ...closings].map((one) => JSON.stringify(one)).sort();
}

async function outcome(source: Source, text: string): Promise<'drift' | 'nothing' | string[]> {
  const reading = await read(source, text).catch(() => undefined);
  if (!reading) return 'nothing';
  const drift = new DriftWatch(source.fields);
  for (const raw of reading.raws) drift.observe(raw.fields);
  if (drift.missing().length > 0) return 'drift';
  const all = factsOf(reading);
  return all.length === 0 ? 'nothing' : all;
}

describePublished('names in published files', () => {
  describe.each([
    ['tender releases', releases],
    ['notices', notices],
    ['facilities', facilities],
    ['awards', awards],
  ])('%s as they were published', (_, open) => {
    test('with any one name changed raise drift, say nothing or say the same', async () => {
      const { source, names, text } = open();
      const expected = await outcome(source, text());
      expect(expected.length).toBeGreaterThan(50);
      const outcomes = new Map<string, unknown>();
      for (const name of names) outcomes.set(name, await outcome(source, text(name)));
      const others = [...outcomes].filter(
        ([, one]) => one !== 'drift' && one !== 'nothing' && JSON.stringify(one) !== JSON.stringify(expected),
      );
      expect(others.map(([name]) => name)).toEqual([]);
      expect([...outcomes.values()]).toContain('drift');
    });
  });
});
