import { expect, test } from 'vitest';
import { matchOf, observationOf } from '../test-support/companies.ts';
import { type Arrangement, AS_DELIVERED, arrange, choicesOf, type Delivered, isNarrowed } from './arrange.ts';

const AS_OF = '2026-11-25T00:00:00.000Z';

function on(day: string) {
  return { occurred_at: `2026-11-${day}T00:00:00.000Z` };
}

const DELIVERED: readonly Delivered[] = [
  matchOf(1, 'Zed', [
    observationOf({ id: 11, observed_fact: 'Zed builds in Reno, Nevada.', ...on('01') }),
    observationOf({ id: 12, kind: 'job_posting', observed_fact: 'Zed hires in Boise, Idaho.', ...on('24') }),
  ]),
  matchOf(2, 'Abe', [observationOf({ kind: 'company_profile', country: 'CA', occurred_at: null })]),
  matchOf(3, 'Max', [observationOf({ observed_fact: 'Max builds in Laval, Quebec.', country: 'CA', ...on('20') })]),
].map((company, at) => ({ company, rank: at + 1, asOf: AS_OF }));

function ids(arrangement: Partial<Arrangement>): number[] {
  return arrange(DELIVERED, { ...AS_DELIVERED, ...arrangement }).map(({ company }) => company.id);
}

test('delivered companies are sorted in six ways, undated ones last in time', () => {
  expect(ids({})).toEqual([1, 2, 3]);
  expect(ids({ sort: 'newest' })).toEqual([3, 1, 2]);
  expect(ids({ sort: 'oldest' })).toEqual([1, 3, 2]);
  expect(ids({ sort: 'name' })).toEqual([2, 3, 1]);
  expect(ids({ sort: 'place' })).toEqual([3, 2, 1]);
  expect(ids({ sort: 'kind' })).toEqual([1, 3, 2]);
});

test('a row shows the best observation that the narrowing leaves', () => {
  const [row] = arrange(DELIVERED, { ...AS_DELIVERED, kind: 'job_posting' });
  expect([row?.best.id, row?.rank, row?.place.city]).toEqual([12, 1, 'Boise']);
});

test('kind, country, state and date narrow, and together they all hold for one observation', () => {
  expect(ids({ country: 'CA' })).toEqual([2, 3]);
  expect(ids({ region: 'Quebec' })).toEqual([3]);
  expect(ids({ within: '7' })).toEqual([1, 3]);
  expect(ids({ kind: 'job_posting', region: 'Nevada' })).toEqual([]);
});

test('choices are what was delivered, with the number of companies', () => {
  expect(choicesOf(DELIVERED)).toEqual({
    kinds: [
      ['facility_expansion', 'Facility expansion', 2],
      ['job_posting', 'Job posting', 1],
      ['company_profile', 'Company profile', 1],
    ],
    countries: [
      ['US', 'United States', 1],
      ['CA', 'Canada', 2],
    ],
    regions: [
      ['Idaho', 'Idaho', 1],
      ['Nevada', 'Nevada', 1],
      ['Quebec', 'Quebec', 1],
    ],
  });
});

test('sorting does not narrow', () => {
  expect(isNarrowed({ ...AS_DELIVERED, sort: 'name' })).toBe(false);
  expect(isNarrowed({ ...AS_DELIVERED, within: '7' })).toBe(true);
});
