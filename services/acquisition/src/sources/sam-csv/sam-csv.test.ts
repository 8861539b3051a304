import { expect, test } from 'vitest';
import { readRows } from '../../../test-support/made-rows.ts';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { readBeside, titled } from '../../../test-support/read-source.ts';
import { samCsv } from './source.ts';

const extract = await readBeside(import.meta.url, 'documents/contract-opportunities.csv', samCsv);

test('a solicitation is a request of the sub-tier agency with the sector of its NAICS code', () => {
  expect(titled(extract, 'Rebuilding of lock gate 7')).toMatchObject({
    key: '00000000000000000000000000000001',
    company: { name: 'INLAND LOCKS SERVICE', country: 'US' },
    observedFact: 'INLAND LOCKS SERVICE is requesting Rebuilding of lock gate 7 (Solicitation), closes 2026-11-30',
    country: 'US',
    occurredAt: new Date('2026-10-07T13:12:45.454Z'),
    expiresAt: new Date('2026-11-30T20:00:00Z'),
    categories: ['23'],
    eventIdentifiers: [{ scheme: 'solicitation', value: 'W9AB01-27-R-0001' }],
    sourceUri: 'https://sam.gov/opp/00000000000000000000000000000001/view',
  });
});

test('the extract is read as Windows-1252, and its HTML as text', () => {
  expect(titled(extract, 'Rebuilding of lock gate 7').excerpts[0]).toContain(
    'Service’s gate 7 – built in 1931 – is to',
  );
  expect(titled(extract, 'Market survey of tow engines').excerpts[0]).toContain('Résumés');
});

test('sectors are only what the source reports', () => {
  expect(titled(extract, 'Hydraulic oil, 400 drums').categories).toEqual(['31-33']);
  expect(titled(extract, 'Market survey of tow engines').categories).toEqual([]);
});

test('a deadline without a time lasts its day in Washington, without one the archive date counts', () => {
  expect(titled(extract, 'Hydraulic oil, 400 drums').expiresAt).toEqual(new Date('2026-11-26T05:00:00Z'));
  expect(titled(extract, 'Sluice sensors').expiresAt).toEqual(new Date('2026-12-16T05:00:00Z'));
});

test('an award closes its solicitation; special and archived notices are left out', () => {
  expect(extract.closings).toMatchObject([
    {
      eventIdentifiers: [{ value: 'W9AB01-26-R-0006' }],
      reason: 'awarded',
      closedAt: new Date('2026-11-02T00:00:00Z'),
    },
  ]);
  expect(extract.leftOut).toEqual(['the notice type asks for no bids', 'the notice is archived without a date']);
});

test('every other row is refused by the field it lacks', () => {
  expect(extract.refused).toEqual(['Title is missing', 'PostedDate is no date', 'NoticeId is missing']);
});

test('contact persons are not in the raw records', () => {
  for (const raw of extract.raws) expect(raw.content).not.toMatch(/aryContact|Max Weir|Ida Sluice/);
});

const ROW = {
  NoticeId: '00000000000000000000000000000009',
  Title: 'Sluice lamps',
  'Sol#': 'W9AB01-27-Q-0009',
  'Department/Ind.Agency': 'DEPT OF WATERWAYS',
  'Sub-Tier': 'INLAND LOCKS SERVICE',
  Office: 'W9AB LOCKS CONTRACTING',
  PostedDate: '2026-10-06 03:42:50',
  Type: 'Solicitation',
  ResponseDeadLine: '2026-11-29T12:30:00-05:00',
  Active: 'Yes',
  Link: 'https://sam.gov/workspace/contract/opp/00000000000000000000000000000009/view',
};
const COLUMNS = [...samCsv.fields.required, ...samCsv.fields.usual];

test.each([
  ['2026-04-25 22:22:47.454-04', '2026-04-26T02:22:47.454Z'],
  ['2026-10-06 03:42:50', '2026-10-06T03:42:50.000Z'],
])('PostedDate %s is %s', async (PostedDate, at) => {
  const { observations } = await readRows(samCsv, COLUMNS, [{ ...ROW, PostedDate }], 'latin1');
  expect(observations[0]?.occurredAt).toEqual(new Date(at));
});

test('work may be done abroad for an agency of the United States, and the page is the public one', async () => {
  const abroad = { PopCity: 'Kaiserslautern', PopState: 'DE-RP', PopCountry: 'DEU', Description: 'Caf\u00e9 lamps.' };
  const { observations } = await readRows(samCsv, COLUMNS, [{ ...ROW, ...abroad }], 'latin1');
  expect(observations[0]).toMatchObject({
    country: 'US',
    sourceUri: 'https://sam.gov/opp/00000000000000000000000000000009/view',
  });
  expect(observations[0]?.excerpts[0]).toContain('Café lamps.');
  expect(observations[0]?.excerpts[0]).toContain('Place of performance: Kaiserslautern, DE-RP, DEU');
});

test('a name of a contact column is kept nowhere', async () => {
  const contact = { PrimaryContactFullname: 'Max Weir', Description: 'Lamps. Ask WEIR, MAX of the office.' };
  const { observations, raws } = await readRows(samCsv, COLUMNS, [{ ...ROW, ...contact }]);
  expect(observations[0]?.excerpts[0]).toMatch(/\nLamps\.$/);
  expect(raws[0]?.content).not.toMatch(/weir/i);
});

test('a file that is its header alone says nothing: neither records, nor refusals, nor that all is closed', async () => {
  const header = `${COLUMNS.map((name) => `"${name}"`).join(',')}\r\n`;
  expect(await readDocument(samCsv, documentOfText(header))).toEqual({
    raws: [],
    records: [],
    refusals: [],
    followUps: [],
  });
});
