import { expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';

const vocabulary = loadVocabulary();

function plan(query: string) {
  return planQuery(query, filters(), vocabulary, new Date('2026-11-20T12:00:00Z'));
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
])('"%s" negates %j', (query, avoided) => {
  expect(plan(query).avoided).toEqual(avoided);
});

test('what is negated is not searched for, names no kind and is no hard exclusion', () => {
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

test.each(['not for profit hospitals', 'not only hospitals', 'hospitals, not', 'hospitals without'])(
  '"%s" turns nothing down',
  (query) => {
    expect(plan(query).avoided).toEqual([]);
    expect(searched(query)).toContain('hospitals');
  },
);
