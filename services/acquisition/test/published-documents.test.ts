import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { contactSpans } from '../src/extract/contacts.ts';
import type { Source } from '../src/sources/source.ts';
import { readFile } from './read-file.ts';
import { summarise } from './read-source.ts';
import { DOCUMENTS } from './tender-documents.ts';

/** Documents that the sources themselves published, kept beside the repository. */
const PUBLISHED = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** For whole files on a machine that does other things as well. */
const WHOLE_FILES_MS = 180_000;

/** Which source reads what is in a folder; documentation of an interface is no document of it. */
const FOLDERS: readonly (readonly [folder: string, pattern: RegExp, source: string])[] = [
  ['fixtures/canadabuys', /\.csv$/, 'canadabuys'],
  ['fixtures/sam_gov', /\.csv$/, 'sam_csv'],
  ['fixtures/sam_gov', /\.json\.txt$/, 'sam_api'],
  ['fixtures/ocds', /\.json$/, 'ocds'],
  ['raw/ocds_buyandsell', /\.json\.gz$/, 'ocds'],
  ['fixtures/fbo_legacy', /\.(?:bulk|json)$/, 'fbo'],
  ['raw/fbo', /\.(?:bulk|json\.gz|jsonl\.gz)$/, 'fbo'],
  ['fixtures/cim', /\.csv$/, 'cim'],
  ['raw/clean_investment_monitor', /\.csv\.gz$/, 'cim'],
];
const DOCUMENTATION = /^(?:README\..*|get-opportunities-.*)$/;

if (!existsSync(PUBLISHED))
  test.skip('published documents are not tested: ../shared/data is not beside the repository', () => undefined);
else
  describe.each(FOLDERS.map(([folder, pattern, name]) => ({ folder, pattern, name })))('$name from $folder', (one) => {
    test(
      'every document parses or is refused by a field, and nothing that it says carries a contact',
      async () => {
        const files = (await readdir(PUBLISHED + one.folder)).filter((file) => one.pattern.test(file));
        expect(files).not.toEqual([]);
        for (const file of files) await check(named(one.name), `${PUBLISHED}${one.folder}/${file}`);
      },
      WHOLE_FILES_MS,
    );

    test('no file is overlooked', async () => {
      const patterns = FOLDERS.filter(([folder]) => folder === one.folder).map(([, pattern]) => pattern);
      const files = await readdir(PUBLISHED + one.folder);
      const unread = files.filter(
        (file) => !patterns.some((pattern) => pattern.test(file)) && !DOCUMENTATION.test(file),
      );
      expect(unread).toEqual([]);
    });
  });

async function check(source: Source, file: string): Promise<void> {
  const read = summarise(await readFile(source, file));
  for (const record of read.records) {
    const said = [record.observations, record.closings, record.leftOut, record.refusals].flat();
    expect(said.length).toBeGreaterThan(0);
  }
  for (const { field, reason } of read.refusals) expect(`${field} ${reason}`).toMatch(/^\S.+ \S/);
  for (const one of read.observations) {
    const texts = [one.company.name, one.title ?? '', one.observedFact, ...one.excerpts];
    expect(contactSpans(texts.join('\n'))).toEqual([]);
    expect(one.sourceUri).toMatch(/^https?:\/\//);
  }
  const said = read.observations.length + read.closings.length;
  if (source.verified) expect(said).toBeGreaterThan(0);
}

function named(name: string): Source {
  const found = DOCUMENTS.find(({ source }) => source.name === name);
  if (!found) throw new Error(`no source is called ${name}`);
  return found.source;
}
