import { describe, expect, test } from 'vitest';
import { documentOfText, readDocument } from '../../../test-support/read-file.ts';
import { type ReadSource, summarise } from '../../../test-support/read-source.ts';
import { samApi } from './source.ts';

const ID = '00000000000000000000000000000007';
const NOTICE = {
  noticeId: ID,
  title: 'Rebuilding of lock gate 7',
  solicitationNumber: 'W9AB01-27-R-0001',
  fullParentPathName: 'DEPT OF WATERWAYS.INLAND LOCKS SERVICE.W9AB LOCKS CONTRACTING',
  postedDate: '2026-02-03',
  type: 'Solicitation',
  baseType: 'Sources Sought',
  archiveDate: '2026-06-30',
  responseDeadLine: '2026-03-10T15:00:00-04:00',
  naicsCode: '237990',
  classificationCode: 'Z2KA',
  active: 'Yes',
  award: { awardee: {} },
  pointOfContact: null,
  placeOfPerformance: null,
  uiLink: `https://sam.gov/workspace/contract/opp/${ID}/view`,
};

const readAll = async (...notices: object[]): Promise<ReadSource> => {
  const opportunitiesData = notices.map((notice) => ({ ...NOTICE, ...notice }));
  return summarise(await readDocument(samApi, documentOfText(JSON.stringify({ opportunitiesData }))));
};
const read = async (notice: object) => (await readAll(notice)).observations[0];

test('a page of today and one of years ago are the public page, and an incomplete award is ignored', async () => {
  const page = `https://sam.gov/opp/${ID}/view`;
  expect(await read({})).toMatchObject({ sourceUri: page, expiresAt: new Date('2026-03-10T19:00:00Z') });
  expect(await read({ uiLink: `https://beta.sam.gov/opp/${ID}/view` })).toMatchObject({ sourceUri: page });
});

describe('deadlines', () => {
  test.each([
    ['2026-02-24', '2026-02-25T05:00:00Z'],
    ['2026-02-10T10:00:00+09:00', '2026-02-10T01:00:00Z'],
    ['2026-02-28T16:00:00-07:00', '2026-02-28T23:00:00Z'],
  ])('%s is %s', async (responseDeadLine, at) => {
    expect((await read({ responseDeadLine }))?.expiresAt).toEqual(new Date(at));
  });

  test('one from before the notice was posted is ignored: the archive day ends the notice, and no closing day is stated', async () => {
    expect(await read({ responseDeadLine: '2025-12-18T12:00:00-05:00' })).toMatchObject({
      observedFact: 'INLAND LOCKS SERVICE is requesting Rebuilding of lock gate 7 (Solicitation)',
      expiresAt: new Date('2026-07-01T04:00:00Z'),
    });
  });
});

test('a notice that asks for no bids is left out, and so is one that is archived without a day', async () => {
  expect((await readAll({ type: 'Special Notice' })).leftOut).toEqual(['the notice type asks for no bids']);
  const archived = { active: 'No', archiveDate: null, responseDeadLine: null };
  expect((await readAll(archived)).leftOut).toEqual(['the notice is archived without a date']);
});

test('work may be done abroad for an agency of the United States', async () => {
  const placeOfPerformance = { city: { name: 'Kaiserslautern' }, country: { code: 'DEU' } };
  expect(await read({ placeOfPerformance })).toMatchObject({ country: 'US' });
});

describe('places', () => {
  const place = async (placeOfPerformance: unknown) =>
    /Place of performance: (.*)/.exec((await read({ placeOfPerformance }))?.excerpts[0] ?? '')?.[1];

  test.each([
    [{ city: { name: 'San Diego' }, state: { name: 'CA' }, country: { code: 'USA' } }, 'San Diego, CA, USA'],
    [{ state: { code: 'NY', name: 'New York' }, country: { code: 'USA' } }, 'NY, USA'],
    [
      { city: { name: 'Port' }, state: { code: 'KR-48', name: 'Gyeongnam' }, country: { code: 'KOR' } },
      'Port, Gyeongnam, KOR',
    ],
    [{ city: { name: '' }, state: { name: '' }, country: { name: '' } }, undefined],
    [{}, undefined],
    [null, undefined],
  ])('%j is %s', async (value, text) => {
    expect(await place(value)).toBe(text);
  });
});

test('a department without sub-tier appears twice in the path and once in the fact; dots may belong to a name', async () => {
  const path = 'WATERWAYS, DEPARTMENT OF.WATERWAYS, DEPARTMENT OF.ST. LOUIS OFFICE (36C262)';
  const notice = await read({ fullParentPathName: path });
  expect(notice?.company.name).toBe('WATERWAYS, DEPARTMENT OF');
  expect(notice?.excerpts[0]).toContain('\nBuyer: WATERWAYS, DEPARTMENT OF, ST. LOUIS OFFICE (36C262)\n');
});

describe('numbers', () => {
  const numbers = async (...solicitations: string[]) => {
    const { observations } = await readAll(...solicitations.map((number) => ({ solicitationNumber: number })));
    return observations.map(({ eventIdentifiers }) => eventIdentifiers[0]?.value.replaceAll('-', ''));
  };

  test('two spellings are one number, two requirements never', async () => {
    expect(await numbers('W9AB01-27-Q-0054', '2027-W9AB0127Q0054', 'W9AB01-27-Q-0055')).toEqual([
      'W9AB0127Q0054',
      'W9AB0127Q0054',
      'W9AB0127Q0055',
    ]);
  });

  test('a number that is unique nowhere else is its office’s', async () => {
    expect(await numbers('473749')).toEqual(['473749 W9AB LOCKS CONTRACTING']);
  });
});

describe('awards', () => {
  const award = async (notice: object) => {
    const given = { type: 'Award Notice', award: { date: '2026-01-29', awardee: { name: 'Weir Inc' } }, ...notice };
    const { closings, leftOut } = await readAll(given);
    return { closings, leftOut };
  };

  test('close the request of the same number and office', async () => {
    expect((await award({})).closings).toMatchObject([
      { eventIdentifiers: [{ value: 'W9AB01-27-R-0001' }], company: { name: 'INLAND LOCKS SERVICE' } },
    ]);
    expect((await award({ solicitationNumber: '473749' })).closings).toMatchObject([
      { eventIdentifiers: [{ value: '473749 W9AB LOCKS CONTRACTING' }] },
    ]);
  });

  test.each(['621I', '237990', 'Z2KA', 'N/A'])(
    'under %s, which is a class or no number, close nothing',
    async (solicitationNumber) => {
      expect(await award({ solicitationNumber })).toEqual({
        closings: [],
        leftOut: ['the award names no number of one request'],
      });
    },
  );

  test('under a schedule close nothing: it stays open', async () => {
    const fullParentPathName = 'WATERWAYS, DEPARTMENT OF.WATERWAYS, DEPARTMENT OF.NAC FEDERAL SUPPLY SCHEDULE (36F797)';
    expect(await award({ fullParentPathName })).toEqual({
      closings: [],
      leftOut: ['the award is made under a schedule that stays open'],
    });
  });
});

test('the name of a contact person is kept nowhere', async () => {
  const { raws } = await readAll({
    title: 'Lamps, ask Max Weir',
    pointOfContact: [{ fullName: 'Weir, Max', email: 'm@locks.example' }],
  });
  expect(raws[0]?.content).toContain('Lamps');
  expect(raws[0]?.content).not.toMatch(/weir/i);
});
