import { superlinear } from '@ces/test/support/growth.ts';
import { describe, expect, test } from 'vitest';
import { findAmounts } from './amounts.ts';

function found(query: string) {
  return findAmounts(query).mentions.map(({ measure, least, most, strict }) => ({ measure, least, most, strict }));
}

describe('an amount is read with its comparison', () => {
  test.each([
    ['factories costing more than two billion dollars', { measure: 'money', least: 2e9, strict: true }],
    ['solar farms worth $50 million or more in Texas', { measure: 'money', least: 5e7, strict: false }],
    ['rounds of at least C$1.5bn', { measure: 'money', least: 1.5e9, strict: false }],
    ['raised over 20 million', { measure: 'money', least: 2e7, strict: true }],
    ['not more than US$500k', { measure: 'money', most: 5e5, strict: false }],
    ['under 30M', { measure: 'money', most: 3e7, strict: true }],
    ['rounds between 10 and 50 million', { measure: 'money', least: 1e7, most: 5e7, strict: false }],
    ['raised $5-10 million', { measure: 'money', least: 5e6, most: 1e7, strict: false }],
    ['rounds of $500,000 to $2 million', { measure: 'money', least: 5e5, most: 2e6, strict: false }],
    ['$5 million to 7 million', { measure: 'money', least: 5e6, most: 7e6, strict: false }],
    ['around $5-10 million', { measure: 'money', least: 5e6, most: 1e7, strict: false }],
    ['over $5-10 million', { measure: 'money', least: 5e6, strict: true }],
    ['up to $5-10 million', { measure: 'money', most: 1e7, strict: false }],
    ['at least 1 200 jobs', { measure: 'jobs', least: 1200, strict: false }],
    ['plus de 1\u202f200 emplois', { measure: 'jobs', least: 1200, strict: true }],
    ['plus de 12,5 M$', { measure: 'money', least: 12.5e6, strict: true }],
    ['over $5 000 000', { measure: 'money', least: 5e6, strict: true }],
    ['more than 2,5 millions de dollars', { measure: 'money', least: 2.5e6, strict: true }],
    ['plus de 5,5 milliards', { measure: 'money', least: 5.5e9, strict: true }],
    ['over $2.3T', { measure: 'money', least: 2.3e12, strict: true }],
    ['$10 to $50 million rounds', { measure: 'money', least: 1e7, most: 5e7, strict: false }],
    ['500 MW to 1 GW of wind', { measure: 'power', least: 5e8, most: 1e9, strict: false }],
    ['10-50 MW batteries', { measure: 'power', least: 1e7, most: 5e7, strict: false }],
    ['multi-million dollar rounds', { measure: 'money', least: 1e6, strict: false }],
    ['100+ employees', { measure: 'jobs', least: 100, strict: false }],
    ['fewer than fifty employees', { measure: 'jobs', most: 50, strict: true }],
    ['chains with over 1,000 company-owned restaurants', { measure: 'restaurants', least: 1000, strict: true }],
    ['plus de 10 millions de dollars', { measure: 'money', least: 1e7, strict: true }],
    ['solar farms, five million dollars at most', { measure: 'money', most: 5e6, strict: false }],
    ['REITs with 100 or more properties', { measure: 'properties', least: 100, strict: false }],
    ['between one hundred and three hundred hotels', { measure: 'hotels', least: 100, most: 300, strict: false }],
    ['over a quarter of a billion dollars', { measure: 'money', least: 2.5e8, strict: true }],
    ['sub-$5 million rounds', { measure: 'money', most: 5e6, strict: true }],
    ['50 MW or under', { measure: 'power', most: 5e7, strict: false }],
    ['200 hotels maximum', { measure: 'hotels', most: 200, strict: false }],
    ['well over two hundred and fifty jobs', { measure: 'jobs', least: 250, strict: true }],
    ['at least two and a half million dollars', { measure: 'money', least: 2.5e6, strict: false }],
    ['half a billion dollars or more', { measure: 'money', least: 5e8, strict: false }],
    ['au moins 50 emplois', { measure: 'jobs', least: 50, strict: false }],
    ['moins de cent employés', { measure: 'jobs', most: 100, strict: true }],
    ['projets de 10 à 50 millions de dollars', { measure: 'money', least: 1e7, most: 5e7, strict: false }],
    ['jusqu’à 20 mégawatts', { measure: 'power', most: 2e7, strict: false }],
    ['5 M$ au maximum', { measure: 'money', most: 5e6, strict: false }],
    ['entre 2 et 4 milliards de dollars', { measure: 'money', least: 2e9, most: 4e9, strict: false }],
  ])('%s', (query, wanted) => {
    expect(found(query)).toEqual([{ least: undefined, most: undefined, ...wanted }]);
  });

  test('without a comparison it is meant roughly', () => {
    expect(found('a 200-MW wind farm')).toEqual([{ measure: 'power', least: 1.6e8, most: 2.4e8, strict: false }]);
  });
});

describe('a negated amount inverts its bound', () => {
  test.each([
    ['wind, not farms over $100 million', { measure: 'money', most: 1e8, strict: false }, 'wind, farms'],
    ['rounds, nothing below $5 million', { measure: 'money', least: 5e6, strict: false }, 'rounds,'],
    ['startups excluding rounds under $1M', { measure: 'money', least: 1e6, strict: false }, 'startups rounds'],
    ['no hotels above 200 rooms', { measure: 'rooms', most: 200, strict: false }, 'hotels rooms'],
    ['anything under $10M is too small', { measure: 'money', least: 1e7, strict: false }, 'anything is too small'],
    ['usines, pas plus de 50 emplois', { measure: 'jobs', most: 50, strict: false }, 'usines,'],
  ])('%s', (query, wanted, rest) => {
    expect(found(query)).toEqual([{ least: undefined, most: undefined, ...wanted }]);
    expect(findAmounts(query).rest.trim().split(/\s+/).join(' ')).toBe(rest);
  });

  test.each(['not in Texas over $5M', 'internships, not, over $5M'])('"%s" turns none down', (query) => {
    expect(found(query)).toEqual([{ measure: 'money', least: 5e6, most: undefined, strict: true }]);
  });
});

test.each([
  'between 2021 and 2023',
  'Fortune 500 companies',
  '401k plans',
  '3 million customers',
  'plus de 3 millions de clients',
  '5 star hotels',
  'in the last 3 years',
  '24/7 support',
  '24/7 staff',
  'COVID-19 workers',
  'Route 66 hotels',
  '$20 a share',
  '$20-25 per hour',
  '$50 per hour',
])('no amount of anything is in "%s"', (query) => {
  expect(found(query)).toEqual([]);
});

test('an amount and its noun are removed from the words of the query', () => {
  expect(findAmounts('wind farms costing over $1 billion in Iowa').rest.split(/\s+/)).toEqual([
    'wind',
    'farms',
    'in',
    'Iowa',
  ]);
  expect(findAmounts('owners of more than 50 hotels').rest).toContain('hotels');
  expect(findAmounts('plants creating 500 jobs').rest).not.toContain('jobs');
});

test('a number of uncounted things and a year are no condition', () => {
  expect(findAmounts('groups with more than 20 clinics').mentions).toEqual([]);
  expect(findAmounts('tenders up to 2014').rest).toBe('tenders up to 2014');
});

test.each(['more than 5 ', 'at least 1-', '1 000 ', '$1 to ', 'with with ', '1,1', '$ ', 'two hundred '])(
  'a query of "%s" takes time in proportion to its length',
  { tags: 'nightly' },
  (part) => {
    expect(superlinear((size) => part.repeat(size), findAmounts, { from: 1_024, to: 16_384 })).toBeUndefined();
  },
);
