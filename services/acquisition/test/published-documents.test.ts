// @module-tag nightly
import { readdir } from 'node:fs/promises';
import { contactSpans } from '@ces/proto/contact-details';
import { describe, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { sources } from '../src/sources/registry.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { DOCUMENTATION, PUBLISHED_FOLDERS } from '../test-support/published-folders.ts';
import { readFile } from '../test-support/read-file.ts';
import { summarise } from '../test-support/read-source.ts';

/** Time for whole files on a busy machine. */
const WHOLE_FILES_MS = 180_000;

/** Only these sources publish NAICS codes. */
const REPORTS_NAICS: ReadonlySet<string> = new Set([...['fbo', 'sam_api', 'ocds', 'eccc_ghgrp', 'sam_entity']]);

describePublished('published documents', () => {
  const counts = new Map<string, number>();
  describe.each(PUBLISHED_FOLDERS)('$source from $folder', (one) => {
    test(
      'every document parses or is refused by a field, and nothing that it says carries a contact',
      async () => {
        const files = (await filesOf(one.folder)).filter((file) => one.pattern.test(file));
        expect(files).not.toEqual([]);
        for (const file of files) {
          const count = await check(named(one.source), `${PUBLISHED}${one.folder}/${file}`);
          if (named(one.source).verified && !one.mixed) expect(count).toBeGreaterThan(0);
          counts.set(one.source, (counts.get(one.source) ?? 0) + count);
        }
      },
      WHOLE_FILES_MS,
    );

    test('no file is overlooked', async () => {
      const patterns = PUBLISHED_FOLDERS.filter(({ folder }) => folder === one.folder).map(({ pattern }) => pattern);
      const files = await filesOf(one.folder);
      const unread = files.filter(
        (file) => !patterns.some((pattern) => pattern.test(file)) && !DOCUMENTATION.test(file),
      );
      expect(unread).toEqual([]);
    });
  });

  test('every verified source records observations of its published documents', () => {
    const silent = [...counts].filter(([name, count]) => named(name).verified && count === 0);
    expect(silent).toEqual([]);
    expect(counts.size).toBeGreaterThan(0);
  });
});

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(PUBLISHED + folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function check(source: Source, file: string): Promise<number> {
  const read = summarise(await readFile(source, file));
  for (const record of read.records) {
    const outcomes = [record.observations, record.closings, record.leftOut, record.refusals].flat();
    expect(outcomes.length).toBeGreaterThan(0);
  }
  for (const { field, reason } of read.refusals) expect(`${field} ${reason}`).toMatch(/^\S.+ \S/);
  for (const one of read.observations) {
    const texts = [one.company.name, one.title ?? '', one.observedFact, ...one.excerpts];
    expect(contactSpans(texts.join('\n'))).toEqual([]);
    expect(one.sourceUri).toMatch(/^https?:\/\//);
    if (!REPORTS_NAICS.has(source.name)) expect(one.categories).toEqual([]);
  }
  return read.observations.length + read.closings.length;
}

function named(name: string): Source {
  const found = sources.find((source) => source.name === name);
  if (!found) throw new Error(`no source is called ${name}`);
  return found;
}
