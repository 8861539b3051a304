import { expect, test } from 'vitest';
import { publicFilters } from './filters.ts';

test('a profile query has no event cutoff', () => {
  const filters = { kinds: ['company_profile'], countries: ['CA'] };
  expect(publicFilters(filters)).toEqual(filters);
  expect(publicFilters({ ...filters, occurred_after: '1990-01-01T00:00:00Z' })).toEqual(filters);
});

test('an activity query keeps its cutoff, or gets one far in the past', () => {
  const since = { kinds: ['facility_expansion'], occurred_after: '2023-01-01T00:00:00Z' };
  expect(publicFilters(since)).toEqual(since);
  expect(publicFilters({ kinds: ['procurement_request'] })).toEqual({
    kinds: ['procurement_request'],
    occurred_after: '1990-01-01T00:00:00Z',
  });
});

test('kinds that are no filter values of a company search are left out', () => {
  expect(publicFilters({ kinds: ['job_posting'], countries: ['US'] })).toEqual({
    countries: ['US'],
    occurred_after: '1990-01-01T00:00:00Z',
  });
});
