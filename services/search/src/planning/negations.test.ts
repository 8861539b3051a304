import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { describe, expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';

const vocabulary = loadVocabulary();

function plan(query: string) {
  return planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z'));
}

function date(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function searched(query: string): string[] {
  const { activity, description } = plan(query);
  return [...new Set([...activity, ...description].map(({ text }) => text))];
}

test.each([
  ['openings, not internships', ['internships']],
  ['solar plants without storage', ['storage']],
  ['engineers except interns or co-ops', ['interns', 'co ops']],
  ['trucks other than fire trucks', ['fire trucks']],
  ['banks excluding credit unions, building societies', ['credit unions']],
  ['bridges but not railway bridges in spring', ['railway bridges']],
  ['usines sauf raffineries', ['raffineries']],
  ['drug developers, but not the ones betting on ketamine', ['ketamine']],
  ['electric buses and lorries - no passenger cars', ['passenger cars']],
  ['miners please, no lithium mining', ['lithium mining']],
  ['borrowers instead of selling equity: venture debt', ['equity']],
  ['shops not using forecourts', ['forecourts']],
  ['laboratory instruments, not for treating patients', ['treating patients']],
  ['excavators, excluding firms that lease cranes', ['cranes']],
  ['software leaving out games', ['games']],
  ['solar, skip rooftop arrays', ['rooftop arrays']],
  ['staffing without hardware, licences or training', ['hardware', 'licences', 'training']],
  ['lenders, nor pawn shops', ['pawn shops']],
  ['software that does not sell to banks', ['banks']],
  ['kettles, at what isn’t a brewery', ['brewery']],
  ['startups not funded by venture capital', ['venture capital']],
  ['kettles made at sea; teapots and mugs must not appear', ['teapots', 'mugs']],
  ['batteries, but nothing to do with cars', ['cars']],
  ['mines hors charbon', ['charbon']],
  ['boulangeries sans livraison', ['livraison']],
  ['usines à l’exception des raffineries', ['raffineries']],
  ['carriers, travel agents excluded', ['travel agents']],
  ['Carriers by sea. Ferries and yacht dealers are for another desk, so leave them out.', ['ferries', 'yacht dealers']],
  ['Carriers by sea. Ferries must be kept out, even those with cargo.', ['ferries']],
  ['We send carriers and not things. Find kettles.', []],
])('"%s" negates %j', (query, avoided) => {
  expect(plan(query).avoided).toEqual(avoided);
});

test('negated words are not searched for, name no kind and are not hard exclusions', () => {
  const { kinds, excluded } = plan('warehouses, not hiring');
  expect(searched('warehouses, not hiring')).toEqual(['warehouses']);
  expect(kinds).toEqual([]);
  expect(excluded).toEqual([]);
});

test('a place that is negated is one by all its names, and none that is asked for', () => {
  const { avoided, places } = plan('wind farms in Ohio but not in Cleveland or Akron');
  expect(avoided).toEqual(['cleveland', 'akron']);
  expect(places.map(({ text }) => text)).toEqual(['ohio']);
  expect(plan('wind farms except in Texas, Oklahoma and Kansas, with storage').avoided).toEqual(
    expect.arrayContaining(['texas', 'oklahoma', 'kansas']),
  );
  expect(searched('wind farms except in Texas, Oklahoma and Kansas, with storage')).toContain('storage');
});

test('a state that is left outside is negated, what lies outside a city is around it', () => {
  expect(plan('big rounds outside California').avoided).toContain('california');
  expect(plan('big rounds outside California').places).toEqual([]);
  expect(plan('plants outside Detroit')).toMatchObject({ avoided: [], places: [{ text: 'detroit' }] });
});

test('a place where a company has nothing is negated', () => {
  expect(plan('solar developers that have no projects in California')).toMatchObject({ places: [] });
  expect(plan('solar developers that have no projects in California').avoided).toContain('california');
  expect(plan('fish in the Maritimes, Nova Scotia excepted').avoided).toContain('nova scotia');
  expect(plan('offices everywhere but Quebec').avoided).toContain('quebec');
  expect(plan('brewers not based in Texas')).toMatchObject({ places: [], avoided: expect.arrayContaining(['texas']) });
  expect(plan('brewers without a Texas presence').avoided).not.toContain('presence');
});

test('outside a city of a state that is named turns the city down', () => {
  expect(plan('hospitals in Georgia outside Atlanta')).toMatchObject({
    avoided: ['atlanta'],
    places: [{ text: 'georgia' }],
  });
});

test('negated things before a time are asked for since then', () => {
  for (const query of ['bridges, no bridges before 2020', 'bridges excluding those older than 2020'])
    expect(plan(query)).toMatchObject({ avoided: [], since: timestampFromDate(date('2020-01-01')) });
  expect(plan('openings, not internships since 2023')).toMatchObject({ avoided: ['internships'] });
});

test('negating one country asks for the other', () => {
  expect(plan('software outside the United States').places).toMatchObject([{ country: Country.CA }]);
  expect(plan('software, not in Canada').places).toMatchObject([{ country: Country.US }]);
  expect(plan('software, not in Canada').avoided).toEqual([]);
});

test('words that are also requested are not negated', () => {
  expect(plan('seed rounds but not rounds in Texas').avoided).not.toContain('rounds');
});

test('a negated time inverts its bound, and one with both ends says nothing', () => {
  expect(plan('bridges, nothing before 2020')).toMatchObject({
    avoided: [],
    since: timestampFromDate(date('2020-01-01')),
  });
  const launched = plan('bridges opened in 2026, not those of 2025');
  expect(launched).toMatchObject({ avoided: [], since: timestampFromDate(date('2026-01-01')) });
  expect(searched('bridges opened in 2026, not those of 2025')).toEqual(['bridges', 'opened']);
});

describe('one of several sentences negates its words, and no word of it is searched for', () => {
  test.each([
    [
      'Find snow plows. Skip hardware, software licences and pure training.',
      ['hardware', 'software licences', 'pure training'],
    ],
    [
      'Find snow plows. We do not want staffing firms that place one man, nor car dealers.',
      ['staffing firms', 'car dealers'],
    ],
    ['Find snow plows. Passenger cars and spare parts are of no use to us.', ['passenger cars', 'spare parts']],
    ['Find snow plows. Tow trucks have fooled us and must be left out.', []],
    ['Find snow plows. Do not send graders, plants that sell salt, or tow trucks.', ['graders', 'tow trucks']],
  ])('%s', (query, avoided) => {
    expect(plan(query).avoided).toEqual(avoided);
    expect(searched(query)).toEqual(['snow', 'plows']);
  });

  test('one that asks negates only a clause', () => {
    const query = 'Our trucks are old. Find snow plows in Ohio, but graders do not count.';
    expect(searched(query)).toEqual(expect.arrayContaining(['snow', 'plows']));
    expect(searched(query)).not.toContain('graders');
  });
});

test.each([
  "employers that can't find welders",
  'doctors without borders',
  'gear that makes a part of it',
  'no-code software',
  'no longer rented halls',
  'not-for-profit halls',
  'halls with no fewer than ten rooms',
])('"%s" turns nothing down either', (query) => {
  expect(plan(query).avoided).toEqual([]);
});

test.each(['not for profit hospitals', 'not only hospitals', 'hospitals, not', 'hospitals without'])(
  '"%s" turns nothing down',
  (query) => {
    expect(plan(query).avoided).toEqual([]);
    expect(searched(query)).toContain('hospitals');
  },
);
