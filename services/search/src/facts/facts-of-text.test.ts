import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { superlinear } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { rangesOf } from './condition-codes.ts';
import { codeOf } from './fact-codes.ts';
import { factsOfText } from './facts-of-text.ts';
import type { Measure } from './measures.ts';

type Asked = Parameters<typeof rangesOf>[0];

function meets(text: string, condition: Partial<Asked> & { readonly fact: string }, kind?: Kind): boolean | undefined {
  const { codes } = factsOfText(text, kind);
  const { meeting, all } = rangesOf({ strict: false, members: [], ...condition } as Asked);
  const isIn = (ranges: typeof meeting) =>
    codes.some((code) => ranges.some(({ from, to }) => code >= from && code <= to));
  if (isIn(meeting)) return true;
  return isIn([all]) ? false : undefined;
}

test.each([
  ['capital expenditure: US$2,447.1 million (2023 dollars)', 2447.1e6],
  ['raised USD 60,000,000 in a Series D round', 6e7],
  ['a $2.5B plant', 2.5e9],
  ['C$400k', 4e5],
  ['two $5 million rounds', 5e6],
  ['in Sept $5 million', 5e6],
  ['un projet de 5 M$', 5e6],
  ['un investissement de 10 millions de dollars', 1e7],
  ['$5 000 000', 5e6],
  ['5\u00a0000\u00a0000 $', 5e6],
  ['5\u202f000\u202f000 $', 5e6],
  ['$1.250.000', 1.25e6],
  ['12,5 M$', 12.5e6],
  ['12,5 M $', 12.5e6],
  ['1,2 G$', 1.2e9],
  ['2,5 millions de dollars', 2.5e6],
  ['$2.3T', 2.3e12],
  ['$2.3 trillion', 2.3e12],
  ['US$ 12 M', 12e6],
])('the money of "%s" is read', (text, value) => {
  expect(meets(text, { fact: 'money', least: value, most: value })).toBe(true);
  expect(meets(text, { fact: 'money', least: value * 1.01 })).toBe(false);
});

test.each([
  ['The company was founded in 1963 and is headquartered in Burnaby.', 1963],
  ['It was incorporated in May 2014.', 2014],
  ['Fondée en 1899, elle fabrique du sirop.', 1899],
])('the year of "%s" is read out of a profile', (text, year) => {
  const kind = Kind.COMPANY_PROFILE;
  expect(meets(text, { fact: 'founded', least: year, most: year }, kind)).toBe(true);
  expect(meets(text, { fact: 'founded', most: year - 1 }, kind)).toBe(false);
  expect(meets(text, { fact: 'founded', least: year + 1 }, kind)).toBe(false);
  expect(meets(text, { fact: 'founded', least: 1 })).toBeUndefined();
});

test('units of a measure are compared in one', () => {
  expect(meets('a 0.5 GW wind farm', { fact: 'power', least: 4e8 })).toBe(true);
  expect(meets('a 424,000 square-foot plant', { fact: 'floor', least: 4e4, most: 3.95e4 })).toBe(false);
  expect(meets('a 100 acre site', { fact: 'land', most: 5e5 })).toBe(true);
  expect(meets('operates 1,804 company-owned restaurants', { fact: 'restaurants', least: 1000 })).toBe(true);
});

test('an end that is left out does not count, and another measure says nothing', () => {
  expect(meets('US$50 million', { fact: 'money', least: 5e7 })).toBe(true);
  expect(meets('US$50 million', { fact: 'money', least: 5e7, strict: true })).toBe(false);
  expect(meets('US$50 million', { fact: 'power', least: 1 })).toBeUndefined();
  expect(meets('US$50 million', { fact: 'from another release', least: 1 })).toBeUndefined();
});

test.each<readonly [string, Measure, readonly number[]]>([
  ['$5-10 million', 'money', [5e6, 1e7]],
  ['US$5–7 million', 'money', [5e6, 7e6]],
  ['$5 to $10 million', 'money', [5e6, 1e7]],
  ['between $5 and $10 million', 'money', [5e6, 1e7]],
  ['$1.2 to 1.5 billion', 'money', [1.2e9, 1.5e9]],
  ['$500,000 to $2 million', 'money', [5e5, 2e6]],
  ['$5 million to 7 million', 'money', [5e6, 7e6]],
  ['$5M-7M', 'money', [5e6, 7e6]],
  ['a $5 to 10 million hotel', 'money', [5e6, 1e7]],
  ['$5,000-10,000', 'money', [5000, 10_000]],
  ['$5 to 10 million people', 'money', [5]],
  ['$5 to 10 million new customers', 'money', [5]],
  ['$5 million - 20 million passengers', 'money', [5e6]],
  ['$5 million - $20 per share', 'money', [5e6]],
  ['EBITDA between $3 and $35 million', 'money', [3e6, 3.5e7]],
  ['$5 million and $10 million', 'money', [5e6, 1e7]],
  ['de 10 à 50 millions de dollars', 'money', [1e7, 5e7]],
  ['entre 2,5 et 4 G$', 'money', [2.5e9, 4e9]],
  ['10-50 MW', 'power', [1e7, 5e7]],
  ['500,000 to 2 million litres', 'volume', [5e5, 2e6]],
  ['500 à 600 emplois', 'jobs', [500, 600]],
  ['two to three hundred jobs', 'jobs', [200, 300]],
  ['from 2015 to 500 jobs', 'jobs', [500]],
  ['1 200 emplois', 'jobs', [1200]],
  ['2\u202f000 jobs', 'jobs', [2000]],
  ['10 000 pieds carrés', 'floor', [929]],
  ['3,5 km', 'length', [3.5]],
])('the amounts of "%s"', (text, measure, values) => {
  expect(factsOfText(text, undefined).codes).toEqual(values.map((value) => codeOf(measure, value)));
});

test.each([
  '(2023 dollars)',
  'in 2015 stores opened',
  '$45 per hour',
  '$30/hour',
  'Item 5. Employees',
  'tel. 555 1234',
  '24/7 staff',
  '24-7 staff',
  'un service 7 j/7 employés',
  'COVID-19 workers',
  'covid-19 workers',
  'F-35 jets',
  'A380 aircraft',
  'Route 66 hotels',
  'Section 8 apartments',
  'Class 8 trucks',
  '3M employees',
  '401k staff',
  '1/2 acre',
  '2024-01-15 jobs',
  '1,5 rooms',
  'a price of $20 a share',
  '$20 per share',
  '$20-25 per hour',
  '$20 to $25 an hour',
  "25 $ de l'heure",
  '20 à 25 $ l’heure',
  '30 $ par jour',
  '$5/kg',
])('"%s" is no fact', (text) => {
  expect(factsOfText(text, undefined).codes).toEqual([]);
});

test('rounds are facts only of funding, and stages only of sites', () => {
  const round = { fact: 'round', members: ['seriesa', 'seed'] };
  expect(meets('raised USD 5,000,000 in a Series A round', round, Kind.FUNDING_ROUND)).toBe(true);
  expect(meets('raised USD 5,000,000 in a seed round', round, Kind.FUNDING_ROUND)).toBe(true);
  expect(meets('raised USD 5,000,000 in a Series B round', round, Kind.FUNDING_ROUND)).toBe(false);
  expect(meets('raised money', round, Kind.FUNDING_ROUND)).toBeUndefined();
  expect(meets('holds Series A preferred shares', round, Kind.COMPANY_PROFILE)).toBeUndefined();
  const stage = { fact: 'stage', members: ['building'] };
  expect(meets('the plant is under construction', stage, Kind.FACILITY_EXPANSION)).toBe(true);
  expect(meets('the plant was cancelled', stage, Kind.FACILITY_EXPANSION)).toBe(false);
  expect(meets('the tender was cancelled', stage, Kind.PROCUREMENT_REQUEST)).toBeUndefined();
});

test('a noun and its letter are one word, by which "a" is found too', () => {
  const { lexemes } = factsOfText(
    'Series A, Class C shares, vitamin b, Phase III; plan a move, type a letter',
    undefined,
  );
  expect(lexemes).toEqual(['seriesa', 'classc', 'vitaminb', 'phase3']);
});

test('the facts of a text are bounded', () => {
  const many = Array.from({ length: 1000 }, (_, at) => `$${at + 1} million`).join(', ');
  expect(factsOfText(many, undefined).codes.length).toBeLessThanOrEqual(24);
});

test.each([
  '$1 ',
  '1,',
  '1 000 ',
  '1 000',
  '.000',
  '1-',
  '$1-2 ',
  'between ',
  '1 to ',
  'Series A ',
  'two hundred ',
  '9',
  'under construction ',
])('a text of "%s" takes time in proportion to its length', { tags: 'nightly' }, (part) => {
  const make = (size: number) => part.repeat(size);
  const work = (text: string) => factsOfText(text, Kind.FACILITY_EXPANSION);
  expect(superlinear(make, work, { from: 1_024, to: 16_384 })).toBeUndefined();
});
