import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { ecccGhgrp } from './source.ts';

const file = await readBeside(import.meta.url, 'documents/facilities.csv', ecccGhgrp);

test('a report is a profile of the company that operates the facility', () => {
  expect(titled(file, 'Fairlock Gate Works G99001')).toMatchObject({
    key: 'G99001',
    kind: 'company_profile',
    company: {
      name: 'Weirworks Gates Inc.',
      country: 'CA',
      identifiers: [
        { scheme: 'bn', value: '999999907' },
        { scheme: 'duns', value: '999999901' },
      ],
    },
    observedFact:
      'Weirworks Gates Inc. (trade name Weirworks) operates Fairlock Gate Works in Fairlock, Quebec (NAICS 322111 Mechanical Pulp Mills), by its greenhouse gas report for 2023',
    categories: ['31-33'],
    confidence: 0.9,
  });
  expect(titled(file, 'Fairlock Gate Works G99001').occurredAt).toBeUndefined();
});

test('only reports of the newest year are records, in any order', () => {
  expect(file.raws.map(({ key }) => key)).toEqual(['G99001', 'G99002', 'G99003', 'G99004']);
  for (const { content } of file.raws) expect(content).toContain('"Reference Year":"2023"');
});

test('numbers that are cut or none are no identifiers', () => {
  expect(titled(file, 'Sluice Compressor, No. 7 G99002').company.identifiers).toEqual([]);
});

test('a report without a company or outside Canada is refused by the column', () => {
  expect(file.refused).toEqual([
    'Reporting Company Legal Name is missing',
    'Facility Province or Territory is none of Canada',
  ]);
});

test('the public contact and the street are not in the raw records', () => {
  for (const { content } of file.raws) expect(content).not.toMatch(/Ada|Home Lane|@/);
});

test('a run asks for the one file', () => {
  const requests = ecccGhgrp.requests?.({ now: new Date(), settings: new Map(), watermark: undefined }) ?? [];
  expect(requests).toHaveLength(1);
  expect(new URL(requests[0]?.url ?? '').searchParams.get('path')).toMatch(/GHGEmissionsGES-2004-Present\.csv$/);
});

test('a report of a year that has not come is refused, and takes no other one away', async () => {
  const text = await readFile(new URL('documents/facilities.csv', import.meta.url), 'utf8');
  const lines = text.trimEnd().split(/\r?\n/);
  const strange = (lines.at(-1) ?? '').replace(/\b20\d\d\b/, '9999');
  const read = summarise(await readDocument(ecccGhgrp, documentOfText([...lines, strange].join('\r\n'))));
  expect(strange).toContain('9999');
  expect(read.observations).toHaveLength(file.observations.length);
  expect(read.refused).toContain('Reference Year lies in the future');
});
