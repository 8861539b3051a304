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
  ['in Texas 2023', '2023-01-01', '2024-01-01'],
  ['2023', '2023-01-01', '2024-01-01'],
  ['recently, in December 2025', '2025-12-01', '2026-01-01'],
  ['during the latest, in December 2025', '2025-12-01', '2026-01-01'],
  ['in 2024 or 2025', '2024-01-01', '2026-01-01'],
  ['in 2013, 2014 and 2015', '2013-01-01', '2016-01-01'],
  ['in July, August or September of 2008', '2008-07-01', '2008-10-01'],
  ['from March to June 2024', '2024-03-01', '2024-07-01'],
  ['over the winter of 2025 and 2026', '2025-12-01', '2026-04-01'],
  ['in the winter of 2025-26', '2025-12-01', '2026-04-01'],
  ['in the summer of 2014', '2014-06-01', '2014-10-01'],
  ['last winter', '2025-12-01', '2026-04-01'],
  ['since last spring', '2026-03-01', undefined],
  ['this fall', '2026-09-01', '2027-01-01'],
  ['last March', '2026-03-01', '2026-04-01'],
  ['last year', '2025-01-01', '2026-01-01'],
  ['in the last year', '2025-11-20', undefined],
  ['over the past couple of years', '2024-11-20', undefined],
  ['since last year', '2025-01-01', undefined],
  ['less than 6 months ago', '2026-05-24', undefined],
  ['more than two years ago', undefined, '2024-11-20'],
  ['2023 or later', '2023-01-01', undefined],
  ['in 2013 or earlier', undefined, '2014-01-01'],
  ['prior to 2013', undefined, '2013-01-01'],
  ['no later than June 2020', undefined, '2020-07-01'],
  ['newer than 2023', '2024-01-01', undefined],
  ['in December', '2025-12-01', '2026-01-01'],
  ['since March', '2026-03-01', undefined],
  ['yesterday', '2026-11-19', undefined],
  ['since the start of the year', '2026-01-01', undefined],
  ['before the end of 2023', undefined, '2024-01-01'],
  ['in fiscal 2013', '2013-01-01', '2014-01-01'],
  ['by March 2014', undefined, '2014-04-01'],
  ['early 2024', '2024-01-01', '2024-05-01'],
  ['in the 1990s', '1990-01-01', '2000-01-01'],
  ['in the fourth quarter of 2024', '2024-10-01', '2025-01-01'],
  ['depuis 2023', '2023-01-01', undefined],
  ['avant mars 2020', undefined, '2020-03-01'],
  ['entre 2021 et 2023', '2021-01-01', '2024-01-01'],
  ['au premier semestre de 2014', '2014-01-01', '2014-07-01'],
  ["à l'été de 2014", '2014-06-01', '2014-10-01'],
  ["l'hiver dernier", '2025-12-01', '2026-04-01'],
  ["l'an dernier", '2025-01-01', '2026-01-01'],
  ['au cours des trois derniers mois', '2026-08-22', undefined],
])('"%s" asks for what happened from %s to %s, and is searched for by no word', (words, since, until) => {
  expect(timeOf(words)).toEqual({ since, until, words: ['battery', 'storage'] });
});

test('of several times the latest beginning and the earliest end count', () => {
  expect(timeOf('since 2020, after 2021, before 2024')).toMatchObject({ since: '2022-01-01', until: '2024-01-01' });
});

test.each([
  'summer 2026 internships',
  'users of SQL Server 2016',
  'over 2000 customers',
  'class of 2026 customers',
  'jobs for the class of 2026',
  'jobs for graduates of 2026',
  'in 2026 graduate jobs',
  'fall protection',
  'May deliveries',
])('"%s" asks for no time', (words) => {
  expect(timeOf(words)).toMatchObject({ since: undefined, until: undefined });
});

test('a number that is no year, and a month without one, are words', () => {
  expect(timeOf('in 1000 march')).toMatchObject({ since: undefined, until: undefined });
  expect(timeOf('in 1000 march').words).toEqual(['battery', 'storage', '1000', 'march']);
});
