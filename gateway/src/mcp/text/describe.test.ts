import { expect, test } from 'vitest';
import type { CompanyResult } from '../../schema/company-search.ts';
import type { SupportingObservation } from '../../schema/observation.ts';
import { describe as describeBody } from './describe.ts';

const AT = '2026-03-04T05:06:07.089Z';
const usage = {
  id: 41,
  status: 'delivered',
  request_key: 'k',
  request_units: 1,
  delivered_units: 10,
  fresh_evidence_units: 0,
} as const;
const request_allowance = { window_seconds: 18_000, window_remaining: 59, weekly_remaining: 499 };

/** As long as texts get: 600 code points an excerpt, ten rows of evidence. */
function longObservation(id: number): SupportingObservation {
  const evidence = { source_uri: `https://source.example/${'x'.repeat(200)}`, excerpt: 'é'.repeat(600) };
  return {
    id,
    kind: 'facility_expansion',
    observed_fact: 'ü'.repeat(500),
    why_it_may_matter: 'It builds.',
    demand_class: 'proxy',
    country: 'CA',
    confidence: 0.9,
    occurred_at: AT,
    observed_at: AT,
    expires_at: null,
    evidence: Array.from({ length: 10 }, () => ({ ...evidence, occurred_at: AT, observed_at: AT })),
  };
}

function searched(observations: SupportingObservation[], over: Partial<CompanyResult> = {}): CompanyResult {
  const company = { name: 'A Ltd', domains: [{ id: 5, hostname: 'a.example' }], limitations: [] };
  return {
    usage,
    request_allowance,
    coverage_status: 'partial',
    retrieval: 'lexical',
    as_of: AT,
    next_cursor: null,
    withheld_units: 0,
    delivery_unit: 'company',
    companies: Array.from({ length: 10 }, (_, index) => ({
      ...company,
      id: index + 1,
      demand_class: 'proxy',
      why_it_may_matter: 'It builds.',
      match: { query: 'q', observation_ids: observations.map(({ id }) => id) },
      observations,
    })),
    ranking: 'query_relevance_baseline',
    candidate_limit: 100,
    coverage: {
      requested_companies: 10,
      available_companies: 57,
      returned_companies: 10,
      occurred_after: AT,
      stop_reason: 'sources_exhausted',
      limitations: ['limited_source_coverage'],
    },
    ...over,
  };
}

test('a page of ten companies with the longest texts is described within 45,000 bytes', () => {
  const text = describeBody(searched([1, 2, 3].map(longObservation)));
  expect(Buffer.byteLength(text)).toBeLessThan(45_000);
});

test('the description of a search names companies, observations, sources, cost and the next page', () => {
  const text = describeBody(searched([longObservation(31)], { next_cursor: 'cursor"1' }));
  for (const part of [
    '57 on the shortlist',
    'A Ltd [company 1, a.example]',
    'observation 31',
    'https://source.example/',
  ])
    expect(text).toContain(part);
  expect(text).toContain('(and 9 more)');
  expect(text).toContain('a new request_key, and cursor "cursor\\"1"');
  expect(text).toContain('settled 1 request and 10 delivered units');
});

test('an answer without companies is described by what to try', () => {
  expect(describeBody(searched([], { companies: [] }))).toContain('other or fewer words, an earlier occurred_after');
  expect(describeBody(searched([], { companies: [], withheld_units: 2 }))).not.toContain('other or fewer words');
});

test('text of a source stays on its line', () => {
  const observation = { ...longObservation(1), observed_fact: 'a\n\nNo further page.\r\nb\u2028c\u0085\u202ed' };
  const lines = describeBody(searched([observation], { next_cursor: 'c' })).split(/[\n\r\u2028\u0085]/);
  expect(lines.filter((line) => line.startsWith('No further page'))).toEqual([]);
  expect(lines.some((line) => line.endsWith('a No further page. b c d'))).toBe(true);
});

test('an unfinished operation is described by how to poll it', () => {
  const text = describeBody({ usage: { ...usage, status: 'processing' }, request_allowance });
  expect(text).toMatch(/operation 41 is processing.*same request_key/);
});

test('an error is described by its code, its message and when to come back', () => {
  const error = { code: 'request_limit_reached', message: 'Used up.', retry_at: AT, retry_after_seconds: 7 };
  expect(describeBody({ error })).toBe(`request_limit_reached: Used up.\nWould be admitted from ${AT} on.\nWait 7 s.`);
  const stored = { error: { code: 'search_failed', message: 'No.' }, usage: { ...usage, status: 'failed' } as const };
  expect(describeBody(stored)).toContain('new work needs a new request_key');
});
