import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, summarise, titled } from '../../../test-support/read-source.ts';
import { grantsGov } from './source.ts';

const SEARCH = new URL('documents/search2.json', import.meta.url);
const DETAIL = new URL('documents/fetch-opportunity.json', import.meta.url);
type Members = Readonly<Record<string, unknown>>;

const hits = await readBeside(import.meta.url, 'documents/search2.json', grantsGov);
const opportunity = await readBeside(import.meta.url, 'documents/fetch-opportunity.json', grantsGov);

async function opportunityWith(change: Members, ofSynopsis: Members) {
  const answer = JSON.parse(await readFile(DETAIL, 'utf8'));
  const data = { ...answer.data, ...change, synopsis: { ...answer.data.synopsis, ...ofSynopsis } };
  return summarise(await readDocument(grantsGov, documentOfText(JSON.stringify({ ...answer, data }))));
}

test('an opportunity is an agency that asks for applications until it closes', () => {
  expect(opportunity.observations).toMatchObject([
    {
      key: '399001',
      kind: 'procurement_request',
      company: { name: 'Inland Locks Administration', country: 'US' },
      observedFact:
        'Inland Locks Administration is asking for applications for Seepage – Fibre & Dikes (cooperative agreement or grant, awards of $300,000 to $900,000, $4,000,000 in all), closes 2026-12-16',
      occurredAt: new Date('2026-09-03T00:00:00Z'),
      expiresAt: new Date('2026-12-17T05:00:00Z'),
      eventIdentifiers: [{ scheme: 'solicitation', value: 'LA-NOFO-26-9001' }],
      sourceUri: 'https://www.grants.gov/search-results-detail/399001',
      excerpts: [expect.stringContaining('fibre that hears seepage in dikes')],
    },
  ]);
});

test('a hit of a file says the same with fewer words', () => {
  expect(titled(hits, 'Seepage – Fibre & Dikes')).toMatchObject({
    key: '399001',
    observedFact:
      'Inland Locks Administration is asking for applications for Seepage – Fibre & Dikes, closes 2026-12-16',
    expiresAt: new Date('2026-12-17T05:00:00Z'),
  });
});

test('a request for information says so, and an office is its department', () => {
  expect(titled(hits, 'Request for Information - Turbines for Small Locks')).toMatchObject({
    company: { name: 'Department of Energy' },
    observedFact: expect.stringContaining('is asking for information: Request for Information'),
    whyItMayMatter: expect.stringContaining('before it offers money'),
    expiresAt: new Date('2026-11-15T00:00:00Z'),
  });
});

test('a closing in fifty years is none, what is forecast or over is left out, what has no day is refused', () => {
  expect(titled(hits, 'Standing call for lock keepers').expiresAt).toEqual(new Date('2026-11-15T00:00:00Z'));
  expect(hits.leftOut).toEqual(['the opportunity is only forecast', 'the opportunity is over']);
  expect(hits.refused).toEqual(['posting date is missing']);
});

test('contacts, also under the name of the agency, are not in the raw records', () => {
  for (const { content } of [...hits.raws, ...opportunity.raws])
    expect(content).not.toMatch(/Ada|Culvert|asluice|555-0142|@/);
});

test('whom the synopsis names as a contact stands in no text of it', async () => {
  const read = await opportunityWith({}, { synopsisDesc: '<p>Fibre for dikes. Ask Ada Sluice first.</p>' });
  expect(read.raws[0]?.content).toContain('Fibre for dikes.');
  expect(read.raws[0]?.content).not.toContain('Sluice');
});

test('a run reads each hit once for each day it closes, and goes on to the next page', async () => {
  const [request] = grantsGov.requests?.({ now: new Date(), settings: new Map(), watermark: undefined }) ?? [];
  expect(JSON.parse(request?.body ?? '')).toEqual({
    keyword: '',
    oppStatuses: 'posted',
    rows: 500,
    startRecordNum: 0,
  });
  const text = await readFile(SEARCH, 'utf8');
  const ask = async (change: (one: string) => string) =>
    (await readDocument(grantsGov, documentOfText(change(text), { purpose: request?.purpose }))).followUps;
  const asked = await ask((one) => one);
  expect(asked[0]).toEqual({
    url: 'https://api.grants.gov/v1/api/fetchOpportunity#open=09%2F03%2F2026&close=12%2F16%2F2026',
    body: '{"opportunityId":399001}',
    once: true,
  });
  expect(asked).toHaveLength(7);
  expect(JSON.parse(asked[6]?.body ?? '')).toMatchObject({ startRecordNum: 6 });
  const extended = await ask((one) => one.replace('12/16/2026', '01/16/2027'));
  expect(extended[0]?.url).not.toBe(asked[0]?.url);
});

test.each([
  ['title', 'opportunity title is missing'],
  ['number', 'opportunity number is missing'],
  ['agency', 'agency name is missing'],
  ['openDate', 'posting date is missing'],
])('with %s renamed a hit says nothing', async (name, reason) => {
  const text = (await readFile(SEARCH, 'utf8')).replaceAll(`"${name}":`, `"new-${name}":`);
  const { observations, refused } = summarise(await readDocument(grantsGov, documentOfText(text)));
  expect(observations).toEqual([]);
  expect(new Set(refused)).toEqual(new Set([reason]));
});

test.each([
  [{ postingDateStr: undefined, responseDateStr: undefined }, 'closes 2026-12-16'],
  [{ postingDate: undefined, responseDate: undefined }, 'closes 2026-12-16'],
  [{ responseDate: 'Dec 7, 2026 12:00:00 AM EST', responseDateStr: undefined }, 'closes 2026-12-07'],
])('a day is read in each of its forms: %j', async (change, closes) => {
  expect((await opportunityWith({}, change)).observations[0]?.observedFact).toContain(closes);
});

test('an opportunity that is over says so in capitals', async () => {
  expect((await opportunityWith({ ost: 'ARCHIVED' }, {})).leftOut).toEqual(['the opportunity is over']);
});

test('an answer without an opportunity is refused, and one that breaks off is an error', async () => {
  const nothing = summarise(await readDocument(grantsGov, documentOfText('{"errorcode":1,"msg":"no"}')));
  expect(nothing.refused).toEqual(['opportunity title is missing']);
  await expect(readDocument(grantsGov, documentOfText('{"data":{'))).rejects.toThrow();
});
