import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { describe, expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';
import { planMistakes } from './validate-plan.ts';

const vocabulary = loadVocabulary();

function planOf(query: string) {
  return planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z'));
}

describe('rounds that are asked for', () => {
  test.each([
    ['Series A rounds in Boston', ['seriesa']],
    ['seed or Series A startups', ['seriesa']],
    ['seed rounds and Series A', ['seriesa', 'seed']],
    ['Series A or B', ['seriesa', 'seriesb']],
    ['Series B to D', ['seriesb', 'seriesc', 'seriesd']],
    ['Series F or later', ['seriesf', 'seriesg', 'seriesh']],
  ])('%s', (query, members) => {
    expect(planOf(query).facts).toMatchObject([{ fact: 'round', members }]);
  });
});

test('a noun and its letter are searched for as one word, and the noun too', () => {
  const words = planOf('Series A rounds').activity.map((term) => [term.words[0], term.weight]);
  expect(words).toContainEqual(['seriesa', 1]);
  expect(words).toContainEqual(['series', 1]);
  expect(words.flat()).not.toContain('a');
  expect(planOf('makers of vitamin C').activity.flatMap((term) => term.words)).toContain('vitaminc');
});

test('a negated fact is not a condition, and its letter is negated with its noun', () => {
  const plan = planOf('funding rounds, not Series A');
  expect(plan.facts).toEqual([]);
  expect(plan.avoided).toEqual(['seriesa']);
});

test('an amount is a condition and no word', () => {
  const plan = planOf('battery plants costing more than two billion dollars since 2022');
  expect(plan.facts).toMatchObject([
    { fact: 'money', least: 2e9, strict: true, text: 'more than two billion dollars' },
  ]);
  const words = plan.activity.flatMap((term) => term.words);
  for (const word of ['two', 'billion', 'dollars', 'costing']) expect(words).not.toContain(word);
  expect(plan.since).toBeDefined();
});

describe('the founding year of a company is a fact, and not a time of events', () => {
  test.each([
    ['insurers founded before 1900', { most: 1899 }],
    ['insurers established in 1850 or earlier', { most: 1850 }],
    ['insurers incorporated since 2015', { least: 2015 }],
    ['insurers founded between 1950 and 1960', { least: 1950, most: 1960 }],
    ['assureurs fondés avant 1900', { most: 1899 }],
  ])('%s', (query, wanted) => {
    const kinds = [Kind.COMPANY_PROFILE, Kind.JOB_POSTING];
    const plan = planQuery(query, filters({ kinds }), vocabulary, new Date('2026-11-20T12:00:00Z'));
    expect(plan.facts).toMatchObject([{ fact: 'founded', ...wanted }]);
    expect([plan.since, plan.until]).toEqual([undefined, undefined]);
    expect(plan.activity.filter(({ text }) => /^(insurers|assureurs)$/.test(text))).toHaveLength(1);
    expect(plan.activity).toHaveLength(2);
  });
});

test('a query of nothing but an amount asks for something', () => {
  expect(planOf('more than $50 million')).toMatchObject({ empty: false });
});

test('plans with facts are valid', () => {
  const queries = [
    'over $1',
    'under $1',
    'between $1 and $99 trillion',
    '1 MW, 2 MW, 3 MW, 4 MW, 5 MW, 6 MW',
    'Series A to H',
    `${'9'.repeat(400)} dollars`,
    `over $${'9'.repeat(305)} billion`,
    `between $1 and $${'9'.repeat(400)}`,
    Array.from({ length: 60 }, (_, at) => `over $${at + 1} million`).join(' and '),
    Array.from({ length: 60 }, (_, at) => `${at + 1} MW, ${at + 1} employees, ${at + 1} acres`).join(' and '),
    Array.from({ length: 60 }, (_, at) => `founded in ${1900 + at}`).join(' and '),
  ];
  for (const query of queries) expect(planMistakes(planOf(query))).toEqual([]);
});
