import { timestampDate } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { filters } from '../../test-support/documents.ts';
import { loadVocabulary } from '../vocabulary/load-vocabulary.ts';
import { planQuery } from './plan-query.ts';

const vocabulary = loadVocabulary();
const NOW = new Date('2026-11-20T12:00:00Z');

function timeOf(words: string) {
  const { since, until, activity } = planQuery(`battery storage ${words}`, filters(), vocabulary, NOW);
  const day = (at: typeof since) => at && timestampDate(at).toISOString().slice(0, 10);
  return { since: day(since), until: day(until), words: activity.flatMap((term) => term.words) };
}

test.each([
  ['reported since 2023', '2023-01-01', undefined],
  ['from 2023 onwards', '2023-01-01', undefined],
  ['after March 2024', '2024-04-01', undefined],
  ['in 2025', '2025-01-01', '2026-01-01'],
  ['in Sept 2025', '2025-09-01', '2025-10-01'],
  ['Q3 2025', '2025-07-01', '2025-10-01'],
  ['in the first half of 2024', '2024-01-01', '2024-07-01'],
  ['before 2020', undefined, '2020-01-01'],
  ['until June 2020', undefined, '2020-07-01'],
  ['between 2021 and 2023', '2021-01-01', '2024-01-01'],
  ['from March 2024 to June 2024', '2024-03-01', '2024-07-01'],
  ['2021-2023', '2021-01-01', '2024-01-01'],
  ['in the last 3 months', '2026-08-22', undefined],
  ['over the past two quarters', '2026-05-22', undefined],
  ['last week', '2026-11-13', undefined],
  ['this week', '2026-11-16', undefined],
  ['this year', '2026-01-01', undefined],
  ['recently', '2026-08-22', undefined],
])('"%s" asks for what happened from %s to %s, and is searched for by no word', (words, since, until) => {
  expect(timeOf(words)).toEqual({ since, until, words: ['battery', 'storage'] });
});

test('of several times the latest beginning and the earliest end count', () => {
  expect(timeOf('since 2020, after 2021, before 2024')).toMatchObject({ since: '2022-01-01', until: '2024-01-01' });
});

test('a number that is no year, and a month without one, are words', () => {
  expect(timeOf('in 1000 march')).toMatchObject({ since: undefined, until: undefined });
  expect(timeOf('in 1000 march').words).toEqual(['battery', 'storage', '1000', 'march']);
});
