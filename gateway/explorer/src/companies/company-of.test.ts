import type { CompanyLookupResult, CompanyResult, DiagnosticResult } from '@ces/client';
import { expect, test } from 'vitest';
import { matchOf } from '../test-support/companies.ts';
import { companyOf } from './company-of.ts';

const AS_OF = '2026-11-25T00:00:00.000Z';
const BASE = {
  usage: {
    id: 3,
    status: 'delivered',
    request_key: 'k',
    request_units: 1,
    delivered_units: 1,
    fresh_evidence_units: 0,
  },
  request_allowance: { window_seconds: 1, window_remaining: 1, weekly_remaining: 1 },
} as const;
const SHARED = {
  ...BASE,
  coverage_status: 'partial',
  as_of: AS_OF,
  delivery_unit: 'company',
  withheld_units: 0,
} as const;

function lookUp(lookups: CompanyLookupResult['lookups']): CompanyLookupResult {
  const companies = [{ id: 9, name: 'Ann Co', domains: [], observations: [], limitations: [] }];
  return { ...SHARED, companies, lookups, limitations: [] };
}

const SEARCH: CompanyResult = {
  ...SHARED,
  retrieval: 'hybrid',
  next_cursor: null,
  ranking: 'query_relevance_baseline',
  candidate_limit: 100,
  companies: [matchOf(4, 'Max')],
  coverage: { requested_companies: 10, returned_companies: 1, stop_reason: 'page_filled', limitations: [] },
};
const DIAGNOSTIC: DiagnosticResult = { ...BASE, status: 'ok', subscription: { plan: 'builder', status: 'active' } };

test('a company is found under its id, and under the id that it was merged into', () => {
  const found = { company: { id: 9 }, asOf: AS_OF };
  expect(companyOf(lookUp([{ id: 9, status: 'found', company_id: 9 }]), 9)).toMatchObject(found);
  expect(companyOf(lookUp([{ id: 7, status: 'found', company_id: 9 }]), 7)).toMatchObject(found);
});

test('a look-up without the company says why, and an operation about others says nothing', () => {
  expect(companyOf(lookUp([{ id: 7, status: 'unavailable' }]), 7)).toEqual({ outcome: 'unavailable' });
  expect(companyOf(lookUp([{ id: 9, status: 'found', company_id: 9 }]), 7)).toBeUndefined();
  expect(companyOf(DIAGNOSTIC, 7)).toBeUndefined();
});

test('a match of a search is a company too', () => {
  expect(companyOf(SEARCH, 4)).toMatchObject({ company: { name: 'Max' }, asOf: AS_OF });
});
