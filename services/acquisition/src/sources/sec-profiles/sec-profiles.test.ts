import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, readBeside, summarise } from '../../../test-support/read-source.ts';
import { secProfiles } from './source.ts';

const SUBMISSIONS = JSON.parse(await readFile(new URL('documents/submissions.json', import.meta.url), 'utf8'));
const context = { now: new Date('2026-11-21T12:00:00Z'), settings: new Map<string, string>(), watermark: '200' };

async function read(value: unknown, about: Readonly<Record<string, string>> = {}): Promise<ReadSource> {
  return summarise(await readDocument(secProfiles, documentOfText(JSON.stringify(value), { about })));
}

test('a company that files is what the words of its industry say, with its numbers and website', async () => {
  const { observations } = await readBeside(import.meta.url, 'documents/submissions.json', secProfiles);
  expect(observations).toMatchObject([
    {
      key: '0009999999',
      kind: 'company_profile',
      company: {
        name: 'WEIRWORKS INC',
        country: 'US',
        hostnames: ['www.weirworks.example'],
        identifiers: [{ scheme: 'cik', value: '0009999999' }],
      },
      observedFact:
        'WEIRWORKS INC files with the SEC as a company in Pumps & Pumping Equipment, based in FAIRLOCK, Ohio, listed as WEIR (Nasdaq)',
      categories: [],
      confidence: 0.9,
    },
  ]);
  expect(observations[0]?.occurredAt).toBeUndefined();
});

test('an LEI and an EIN become identifiers of the company; invalid ones are left out and counted', async () => {
  const { observations } = await read({ ...SUBMISSIONS, lei: '5493000000000000WE62', ein: '471234567' });
  expect(observations[0]?.company.identifiers.slice(1)).toEqual([
    { scheme: 'lei', value: '5493000000000000WE62' },
    { scheme: 'ein', value: '471234567' },
  ]);
  const wrong = await read({ ...SUBMISSIONS, lei: '5493000000000000WE63', ein: '000000000' });
  expect(wrong.observations[0]?.company.identifiers).toHaveLength(1);
  expect(wrong.leftOut).toEqual(["the company's number (lei) is none"]);
});

test('names under which it filed before are kept with their days, spellings of the name of today are not', async () => {
  const formerNames = [
    { name: 'LOCKWORKS INC', from: '1998-05-07T00:00:00.000Z', to: '2002-06-04T00:00:00.000Z' },
    { name: 'Weirworks Inc', from: '2002-06-04T00:00:00.000Z', to: '2005-06-04T00:00:00.000Z' },
    { name: 'DAMWORKS INC', from: null, to: 'unknown' },
  ];
  const { observations } = await read({ ...SUBMISSIONS, formerNames });
  expect(observations[0]?.company.formerNames).toEqual([
    { name: 'LOCKWORKS INC', since: new Date('1998-05-07'), until: new Date('2002-06-04') },
    { name: 'DAMWORKS INC' },
  ]);
});

test('a new filing does not change the profile; no telephone number is kept', async () => {
  const { raws } = await read(SUBMISSIONS);
  const later = await read({ ...SUBMISSIONS, filings: {}, flags: 'x', phone: '555-555-0199' });
  expect(later.raws[0]?.content).toBe(raws[0]?.content);
  expect(raws[0]?.content).not.toContain('0142');
});

test('persons and funds that file are left out, other countries are refused', async () => {
  expect((await read({ ...SUBMISSIONS, entityType: 'other' })).leftOut).toEqual(['the filer is no operating company']);
  const abroad = { business: { city: 'LONDON', stateOrCountry: 'X0' } };
  expect((await read({ ...SUBMISSIONS, addresses: abroad })).refused).toEqual([
    'addresses.business.stateOrCountry is in neither Canada nor the United States',
  ]);
});

test('a list of companies leads to the next ones, and starts again after the last', async () => {
  const list = {
    0: { cik_str: 300, ticker: 'A', title: 'A' },
    1: { cik_str: 100 },
    2: { cik_str: 250 },
    3: { cik_str: 300 },
  };
  const [request] = secProfiles.requests?.(context) ?? [];
  expect(request).toMatchObject({ about: { after: '200' } });
  const { followUps } = await read(list, request?.about);
  expect(followUps.map(({ url }) => url)).toEqual([
    'https://data.sec.gov/submissions/CIK0000000250.json',
    'https://data.sec.gov/submissions/CIK0000000300.json',
  ]);
  const parsed = [];
  for await (const one of secProfiles.parse(documentOfText(JSON.stringify(list), { about: { after: '200' } })))
    parsed.push(one);
  expect(parsed.at(-1)).toEqual({ type: 'newest', watermark: '0' });
});

test('a list whose entries have no CIK is refused by the field', async () => {
  expect((await read({ 0: { cik: 1 } })).refused).toEqual(['cik_str is missing from every entry']);
});
