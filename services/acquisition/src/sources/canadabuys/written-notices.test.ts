import { describe, expect, test } from 'vitest';
import { readRows } from '../../../test-support/made-rows.ts';
import { AWARD_STATUS, AWARDED, canadabuysAwards } from '../canadabuys-awards/source.ts';
import { COLUMNS, CONTACT_NAME } from './notice.ts';
import { canadabuys } from './source.ts';

const ALL = [...Object.values(COLUMNS), CONTACT_NAME];
const NOTICE = {
  [COLUMNS.title]: 'Towing of large barges',
  [COLUMNS.reference]: 'PW-_QUA-005-20001',
  [COLUMNS.solicitation]: 'WX000-270001/C',
  [COLUMNS.published]: '2026-01-06',
  [COLUMNS.closes]: '2026-03-30T14:00:00',
  [COLUMNS.status]: 'Open',
  [COLUMNS.contractingEntity]: 'Harbour Works Canada',
  [COLUMNS.endUser]: 'Harbour Works Canada',
};
const read = (row: Readonly<Record<string, string>>) => readRows(canadabuys, ALL, [{ ...NOTICE, ...row }]);
const excerptOf = async (description: string, row = {}) =>
  (await read({ [COLUMNS.description]: description, ...row })).observations[0]?.excerpts[0]
    ?.split('\n')
    .slice(3)
    .join('\n');

const FORM = [
  'Trade Agreement: CETA/CFTA',
  'Tendering Procedures: All interested suppliers may submit a bid',
  'Competitive Procurement Strategy: Subsequent/Follow-on Contracts',
  'Comprehensive Land Claim Agreement: No',
  'Nature of Requirements: ',
  '',
  'Towing of large barges',
  '',
  'WX000-270001/C',
  'Quayle, Ada',
  'Telephone No. - (902) 555-0142 ',
  '',
  'This RFSA cancels and supersedes the previous RFSA number WX000-270001/B.',
].join('\n');

describe('the quoted passage', () => {
  test('begins with the requirement, after the fields of the form, the contact and the version', async () => {
    expect(await excerptOf(`${FORM}\nHarbour Works intends to have large barges towed to the yard.`)).toBe(
      'Harbour Works intends to have large barges towed to the yard.\nPublished: 2026-01-06',
    );
  });

  test('begins after the heading of the requirement where labels run together, which are kept apart', async () => {
    const labels =
      'Solicitation No.: WX014160Department: Harbour Works (HW)Delivery Destination Area:&nbsp; Canada&nbsp;';
    expect(
      await excerptOf(`${labels}Description of Requirement: Harbour Works requires tow ropes.Ropes are of hemp.`),
    ).toBe('Harbour Works requires tow ropes. Ropes are of hemp.\nPublished: 2026-01-06');
  });

  test('reads entities and keeps the lines of a list', async () => {
    expect(await excerptOf('The quay&rsquo;s lamps are to be:\n\tred\n\tgreen&nbsp;and &#224; la carte')).toBe(
      'The quay’s lamps are to be:\nred\ngreen and à la carte\nPublished: 2026-01-06',
    );
  });

  test.each([
    ['Forty lamps are wanted.\nContact: Quayle, Ada\nMore of them later.', 'Forty lamps are wanted.'],
    ['Forty lamps are wanted.\nQuayle, Ada\nSupply Officer\n902-555-0142', 'Forty lamps are wanted.'],
    ['Forty lamps are wanted. Write to Ada Quayle, Contracting Officer.', 'Forty lamps are wanted.'],
    ['Quarante lampes. Autorité contractante : Ada Quayle\nCourriel : ada@quay.example', 'Quarante lampes.'],
    ['Forty lamps are wanted. Ada Quayle has the key.', 'Forty lamps are wanted.'],
  ])('never ends with who is to be asked: %s', async (description, excerpt) => {
    expect(await excerptOf(description, { [CONTACT_NAME]: 'Ada Quayle' })).toBe(excerpt);
  });

  test('the name of the contact person is kept nowhere, in whatever order it is written', async () => {
    const { raws } = await read({
      [COLUMNS.description]: 'Forty lamps. Ask QUAYLE, ADA or Ada Quayle.',
      [CONTACT_NAME]: 'Quayle, Ada',
    });
    expect(raws[0]?.content).toContain('Forty lamps');
    expect(raws[0]?.content).not.toMatch(/quayle/i);
  });
});

test.each([
  ['SSC-26-00034400:T', 'ssc-26-00034400t'],
  ['PW-$$XL-116-26311', 'pw-xl-116-26311'],
  ['cb-100-20000001', 'cb-100-20000001'],
])('the notice %s has the page %s', async (reference, page) => {
  const { observations } = await read({ [COLUMNS.reference]: reference, [COLUMNS.description]: 'Lamps.' });
  expect(observations[0]?.sourceUri).toBe(`https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/${page}`);
});

describe('lists of suppliers', () => {
  const list = { [COLUMNS.noticeType]: 'Request for Supply Arrangement', [COLUMNS.closes]: '2065-04-27T07:00:00' };

  test('one that says it asks for no bids is left out', async () => {
    const words = 'Suppliers of lamps are pre-qualified. This RFSA is not a solicitation of bids or tenders.';
    const { observations, leftOut } = await read({ ...list, [COLUMNS.description]: words });
    expect(observations).toEqual([]);
    expect(leftOut).toEqual(['the notice keeps a list of suppliers and says that it asks for no bids']);
  });

  test('one that asks is a request, and a closing decades away is ignored', async () => {
    const { observations } = await read({ ...list, [COLUMNS.description]: 'Arrangements for lamps are asked for.' });
    expect(observations[0]?.observedFact).toBe(
      'Harbour Works Canada is requesting Towing of large barges (Request for Supply Arrangement)',
    );
    expect(observations[0]?.expiresAt).toEqual(new Date('2026-04-06T00:00:00Z'));
  });
});

test('a number that every buyer has is its buyer’s, and the kind of document is no part of it', async () => {
  const numbers = async (number: string) =>
    (await read({ [COLUMNS.solicitation]: number, [COLUMNS.description]: 'Lamps.' })).observations[0]
      ?.eventIdentifiers[0]?.value;
  expect(await numbers('RFP 2026-025')).toBe('2026-025');
  expect(await numbers('2026-27-00012')).toBe('2026-27-00012 Harbour Works Canada');
});

describe('awards', () => {
  const columns = [...Object.values(COLUMNS), AWARDED, AWARD_STATUS, CONTACT_NAME];
  const award = (row: Readonly<Record<string, string>>) =>
    readRows(canadabuysAwards, columns, [{ ...NOTICE, [AWARDED]: '2026-07-17', [AWARD_STATUS]: 'Active', ...row }]);

  test('a number followed by words closes the tender with the bare number', async () => {
    const { closings, raws } = await award({ [COLUMNS.solicitation]: '25-20001 Amendment 8 Modification' });
    expect(closings).toMatchObject([
      { eventIdentifiers: [{ value: '25-20001' }], company: { name: 'Harbour Works Canada' }, reason: 'awarded' },
    ]);
    expect(raws[0]?.uri).toBe('https://canadabuys.canada.ca/en/tender-opportunities/award-notice/pw-qua-005-20001');
  });

  test('a supply arrangement stays open for those who come later', async () => {
    const { closings, leftOut } = await award({ [COLUMNS.noticeType]: 'Request for Supply Arrangement' });
    expect(closings).toEqual([]);
    expect(leftOut).toEqual(['a supply arrangement stays open for further suppliers']);
  });
});
