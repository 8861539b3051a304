import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';

const vocabulary = loadVocabulary();

function weights(query: string): Record<string, number> {
  const { activity } = planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z'));
  return Object.fromEntries(activity.map((term) => [term.text, term.weight]));
}

test('a sentence about the asker has a lower weight than the search itself', () => {
  const { salt = 0, sidewalks = 0 } = weights('We sell salt. Which councils clear sidewalks?');
  expect(salt).toBeGreaterThan(0);
  expect(salt).toBeLessThan(sidewalks);
});

test.each([
  'Our fleet is old. The agent should return sidewalks cleared by hand, and quote the price of each.',
  'A buyer asks: whose sidewalks are cleared by hand? Name the council and the date.',
  'We clear snow. Sidewalks cleared by hand, so that we can compare them. One answer per council will do.',
])('"%s" searches for no word of how the answer should look', (query) => {
  const words = Object.keys(weights(query));
  expect(words).toEqual(expect.arrayContaining(['cleared', 'hand']));
  for (const word of ['agent', 'return', 'quote', 'price', 'buyer', 'asks', 'council', 'date', 'compare', 'answer'])
    expect(words.map((one) => one.toLowerCase())).not.toContain(word);
});

test('the object of "our agent should collect" is searched for, and "collect" is not', () => {
  const {
    salt = 0,
    sidewalks,
    ...others
  } = weights('We sell salt. Our agent should collect councils that clear sidewalks.');
  expect(salt).toBeGreaterThan(0);
  expect(sidewalks).toBe(1);
  for (const word of ['agent', 'collect']) expect(Object.keys(others)).not.toContain(word);
});

test('the place of the asker is a word, and does not restrict the results', () => {
  const query = 'We clear snow in Ottawa. Which councils clear sidewalks?';
  expect(planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z')).places).toEqual([]);
  expect(weights(query)).toHaveProperty('ottawa');
});

test('a query of one sentence is all about what it looks for', () => {
  expect(weights('we buy scrap, and name the price')).toMatchObject({ buy: 1, scrap: 1, price: 1 });
});

test('a company is separated from its activity inside one sentence', () => {
  const query = 'Accountants with open positions in payroll. Engineers who build products for them must be left out.';
  const plan = planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z'));
  expect(plan.kinds.find(({ factor }) => factor > 1)?.kind).toBe(Kind.JOB_POSTING);
  expect(weights(query)).toMatchObject({ Accountants: 1, payroll: 1 });
});
