import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import type { FiltersForm } from '../input/form.ts';
import { instantToTimestamp } from '../input/instant.ts';
import {
  companyFilters,
  effectiveLimit,
  effectiveSearch,
  observationFilters,
  searchedKinds,
} from './effective-search.ts';

const NOW = new Date('2026-11-20T23:59:59.999Z');
const WINDOW = '2026-10-21T00:00:00Z';
const EXPLICIT = '2025-01-01T12:00:00.5Z';
const ids = { included: [], excluded: [] };

function search(filters?: FiltersForm) {
  return effectiveSearch({ query: 'a', ...(filters && { filters }) }, NOW);
}

function filtersOf(filters?: FiltersForm) {
  const form = { query: 'a', ...(filters && { filters }) };
  return companyFilters(form, effectiveSearch(form, NOW), ids);
}

test.each<[string, FiltersForm | undefined, number, boolean]>([
  ['no kind and no class', undefined, 8, false],
  ['the class structural', { demand_classes: ['structural'] }, 1, true],
  ['the classes proxy and structural', { demand_classes: ['proxy', 'structural'] }, 8, true],
  ['the class explicit_request', { demand_classes: ['explicit_request'] }, 1, false],
  ['the kind company_profile', { kinds: ['company_profile'] }, 1, true],
  ['two kinds', { kinds: ['company_profile', 'procurement_request'] }, 2, true],
  [
    'a kind and a class that exclude each other',
    { kinds: ['procurement_request'], demand_classes: ['structural'] },
    0,
    false,
  ],
  ['profiles as proxies', { kinds: ['company_profile'], demand_classes: ['proxy'] }, 0, false],
])('%s: so many kinds take part, profiles among them or not', (_, filters, count, profiles) => {
  const kinds = searchedKinds(filters);
  expect([kinds.length, kinds.includes('company_profile')]).toEqual([count, profiles]);
});

test('the implicit window starts 30 days ago at midnight UTC and spares profiles', () => {
  const both = { kinds: ['company_profile', 'facility_expansion'] };
  expect(search().occurredAfter).toBe(WINDOW);
  expect(search(both).occurredAfter).toBe(WINDOW);
  expect(filtersOf(both)).toMatchObject({ occurredAfter: instantToTimestamp(WINDOW) });
  expect(filtersOf(both)).not.toHaveProperty('profileOccurredAfter');
});

test('a search of only profiles has no implicit window, and an explicit one applies to them', () => {
  expect(search({ kinds: ['company_profile'] }).occurredAfter).toBeNull();
  expect(search({ kinds: ['company_profile'], occurred_after: EXPLICIT }).occurredAfter).toBe(EXPLICIT);
  expect(filtersOf({ kinds: ['company_profile'] })).not.toHaveProperty('occurredAfter');
});

test('an explicit cutoff holds for all, profiles included', () => {
  const filters = filtersOf({ kinds: ['company_profile', 'facility_expansion'], occurred_after: EXPLICIT });
  const cutoff = instantToTimestamp(EXPLICIT);
  expect(filters).toMatchObject({ occurredAfter: cutoff, profileOccurredAfter: cutoff });
  expect(filtersOf({ kinds: ['company_profile'], occurred_after: EXPLICIT })).toMatchObject({
    profileOccurredAfter: cutoff,
  });
});

test('every other filter goes over as it is', () => {
  const filters = companyFilters(
    {
      query: 'a',
      filters: { countries: ['CA'], observed_after: EXPLICIT, domains: ['a.ca'], exclude_domains: ['b.ca'] },
    },
    search(),
    { included: [1n], excluded: [2n] },
  );
  expect(filters).toMatchObject({
    countries: [Country.CA],
    observedAfter: instantToTimestamp(EXPLICIT),
    companyIds: [1n],
    excludeCompanyIds: [2n],
    domains: ['a.ca'],
    excludeDomains: ['b.ca'],
  });
});

test('limits, caps and candidates follow limit and target', () => {
  expect(effectiveLimit({})).toBe(10);
  expect(effectiveLimit({ target: 4 })).toBe(4);
  expect(effectiveLimit({ target: 400 })).toBe(10);
  expect(effectiveSearch({ query: 'a', limit: 25 }, NOW)).toMatchObject({
    goal: 25,
    shortlistCap: 100,
    candidateLimit: 100,
  });
  expect(effectiveSearch({ query: 'a', limit: 5, target: 1000 }, NOW)).toMatchObject({
    goal: 1000,
    shortlistCap: 1000,
    candidateLimit: 2000,
  });
  expect(effectiveSearch({ query: 'a', target: 20 }, NOW)).toMatchObject({ shortlistCap: 20, candidateLimit: 100 });
});

test('an observation search takes every kind and no implicit window', () => {
  const all = observationFilters({ query: 'a' });
  expect(all?.kinds).toHaveLength(9);
  expect(all).not.toHaveProperty('occurredAfter');
  const structural = observationFilters({ query: 'a', filters: { demand_classes: ['structural'] } });
  expect(structural?.kinds).toEqual([Kind.COMPANY_PROFILE]);
  expect(
    observationFilters({ query: 'a', filters: { kinds: ['job_posting'], demand_classes: ['structural'] } }),
  ).toBeUndefined();
});
