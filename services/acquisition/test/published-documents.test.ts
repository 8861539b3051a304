import { readdir } from 'node:fs/promises';
import { contactSpans } from '@ces/proto/contact-details';
import { describe, expect, test } from 'vitest';
import { sources } from '../src/sources/registry.ts';
import type { Source } from '../src/sources/source.ts';
import { describePublished, PUBLISHED } from '../test-support/published.ts';
import { readFile } from '../test-support/read-file.ts';
import { summarise } from '../test-support/read-source.ts';

/** For whole files on a machine that does other things as well. */
const WHOLE_FILES_MS = 180_000;

/** Only what these publish carries NAICS codes. */
const REPORTS_NAICS: ReadonlySet<string> = new Set([
  ...['fbo', 'sam_csv', 'sam_api', 'ocds', 'eccc_ghgrp', 'sam_entity'],
]);

/**
 * Which source reads what is in a folder; documentation of an interface is no document of it. Of mixed files some hold
 * nothing that the source records.
 */
const FOLDERS: readonly (readonly [folder: string, pattern: RegExp, source: string, mixed?: 'mixed'])[] = [
  ['fixtures/canadabuys', /^openTenderNotice\.\d.*\.csv$/, 'canadabuys'],
  ['fixtures/canadabuys', /^(?:openTenderNotice\.header|RECONSTRUCTED|real_).*\.csv$/, 'canadabuys', 'mixed'],
  ['fixtures/canadabuys', /^awardNotice.*\.csv$/, 'canadabuys_awards'],
  ['fixtures/sam_gov', /\.csv$/, 'sam_csv'],
  ['fixtures/sam_gov', /\.json(?:\.txt)?$/, 'sam_api'],
  ['fixtures/ocds', /\.json$/, 'ocds'],
  ['raw/ocds_buyandsell', /\.json\.gz$/, 'ocds'],
  ['fixtures/fbo_legacy', /\.(?:bulk|json)$/, 'fbo'],
  ['raw/fbo', /\.(?:bulk|json\.gz|jsonl\.gz)$/, 'fbo'],
  ['fixtures/cim', /\.csv$/, 'cim'],
  ['raw/clean_investment_monitor', /\.csv\.gz$/, 'cim'],
  ['fixtures/sec_edgar', /^(?:8-K|getcurrent|index-headers|company\.|form\.|filing_index)/, 'sec_8k', 'mixed'],
  ['fixtures/sec_edgar', /^formD/, 'sec_form_d', 'mixed'],
  ['fixtures/sec_edgar', /^(?:submissions|company_tickers)/, 'sec_profiles', 'mixed'],
  ['raw/sec_edgar', /^current_feed/, 'sec_8k', 'mixed'],
  ['raw/sec_edgar', /^current_feed/, 'sec_form_d', 'mixed'],
  ['raw/sec_edgar', /^company_tickers/, 'sec_profiles', 'mixed'],
  ['raw/sec_edgar/atom_pages', /\.xml$/, 'sec_8k', 'mixed'],
  ['raw/sec_edgar/filings_8k', /\.txt\.gz$/, 'sec_8k', 'mixed'],
  ['fixtures/ashby', /\.json$/, 'ashby'],
  ['fixtures/smartrecruiters', /\.json$/, 'smartrecruiters'],
  ['fixtures/workday', /\.json$/, 'workday'],
  ['fixtures/greenhouse', /\.json$/, 'greenhouse', 'mixed'],
  ['fixtures/lever', /\.json$/, 'lever'],
  ['fixtures/gleif', /\.(?:json|xml)$/, 'gleif', 'mixed'],
  ['fixtures/sbir', /^awards.*\.json$/, 'sbir_awards'],
  ['fixtures/sbir', /^solicitations.*\.json$/, 'sbir_solicitations'],
  ['fixtures/usaspending', /^spending_by_award.*\.json$/, 'usaspending_awards', 'mixed'],
  ['fixtures/usaspending', /^recipient.*\.json$/, 'usaspending_recipients'],
  ['fixtures/sam_entity', /\.json$/, 'sam_entity'],
  ['fixtures/openfda', /510k.*\.json$/, 'openfda_510k'],
  ['fixtures/openfda', /pma.*\.json$/, 'openfda_pma'],
  ['fixtures/eccc_ghgrp', /\.csv$/, 'eccc_ghgrp'],
];
const DOCUMENTATION = /^(?:.*README\..*|get-opportunities-.*|official_docs_.*|[a-z_]+\.md|psc_codes\.csv)$/;

describePublished('published documents', () => {
  const counts = new Map<string, number>();
  describe.each(FOLDERS.map(toFolder))('$name from $folder', (one) => {
    test(
      'every document parses or is refused by a field, and nothing that it says carries a contact',
      async () => {
        const files = (await filesOf(one.folder)).filter((file) => one.pattern.test(file));
        expect(files).not.toEqual([]);
        for (const file of files) {
          const count = await check(named(one.name), `${PUBLISHED}${one.folder}/${file}`);
          if (named(one.name).verified && !one.mixed) expect(count).toBeGreaterThan(0);
          counts.set(one.name, (counts.get(one.name) ?? 0) + count);
        }
      },
      WHOLE_FILES_MS,
    );

    test('no file is overlooked', async () => {
      const patterns = FOLDERS.filter(([folder]) => folder === one.folder).map(([, pattern]) => pattern);
      const files = await filesOf(one.folder);
      const unread = files.filter(
        (file) => !patterns.some((pattern) => pattern.test(file)) && !DOCUMENTATION.test(file),
      );
      expect(unread).toEqual([]);
    });
  });

  test('every verified source records something of what it published', () => {
    const silent = [...counts].filter(([name, count]) => named(name).verified && count === 0);
    expect(silent).toEqual([]);
    expect(counts.size).toBeGreaterThan(0);
  });
});

function toFolder([folder, pattern, name, mixed]: (typeof FOLDERS)[number]) {
  return { folder, pattern, name, mixed: mixed !== undefined };
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(PUBLISHED + folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Returns how much of the file was recorded. */
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
