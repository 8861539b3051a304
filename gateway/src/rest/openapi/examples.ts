import type { Static } from 'typebox';
import type { AnyResult } from '../../schema/any-result.ts';
import type { Company, CompanyDetail, CompanyMatch } from '../../schema/company.ts';
import type { CompanyLookupResult } from '../../schema/company-lookup.ts';
import type { CompanyResult, CompanySearchBody } from '../../schema/company-search.ts';
import type { DiagnosticResult } from '../../schema/diagnostic.ts';
import type { Observation, ObservationDetail, SupportingObservation } from '../../schema/observation.ts';
import type { ObservationLookupBody, ObservationLookupResult } from '../../schema/observation-lookup.ts';
import type { ObservationResult, ObservationSearchBody } from '../../schema/observation-search.ts';
import type { Allowance, Operation, Pending } from '../../schema/operation.ts';
import type { UsageList } from '../../schema/usage-list.ts';
import type { UsageReport } from '../../schema/usage-report.ts';
import type { UsageStatement } from '../../schema/usage-statement.ts';

/** One fictional story. */
const usage: Operation = {
  id: 1287,
  status: 'delivered',
  request_key: '3f6c2b1e-search-page-1',
  request_units: 1,
  delivered_units: 1,
  fresh_evidence_units: 0,
};
const request_allowance: Allowance = { window_seconds: 18_000, window_remaining: 59, weekly_remaining: 499 };
const settled = { usage, request_allowance };
const unsettled = { ...usage, request_units: 0, delivered_units: 0 };

const fact: SupportingObservation = {
  id: 90211,
  kind: 'facility_expansion',
  observed_fact: 'Maple Cold Storage is building a second refrigerated warehouse in Lethbridge.',
  why_it_may_matter: 'A site that grows buys construction, equipment and services.',
  demand_class: 'proxy',
  country: 'CA',
  confidence: 0.8,
  occurred_at: '2026-10-28T00:00:00.000Z',
  observed_at: '2026-10-29T06:12:44.310Z',
  expires_at: null,
  evidence: [
    {
      source_uri: 'https://news.maple-cold.example/second-warehouse',
      excerpt: 'Construction of our second refrigerated warehouse in Lethbridge has begun.',
      occurred_at: '2026-10-28T00:00:00.000Z',
      observed_at: '2026-10-29T06:12:44.310Z',
      last_seen_at: '2026-11-12T06:12:40.002Z',
    },
  ],
  categories: ['48-49'],
};
const observation: Observation = { ...fact, company: { id: 4711, name: 'Maple Cold Storage Ltd.' } };
const company: Company = {
  id: 4711,
  name: 'Maple Cold Storage Ltd.',
  domains: [{ id: 5120, hostname: 'maple-cold.example' }],
  observations: [fact],
  limitations: ['limited_source_coverage'],
};
const match: CompanyMatch = {
  ...company,
  demand_class: 'proxy',
  why_it_may_matter: fact.why_it_may_matter,
  match: { query: 'cold storage companies that build or enlarge a warehouse', observation_ids: [fact.id] },
};
const retrieval = {
  coverage_status: 'partial',
  retrieval: 'lexical',
  as_of: '2026-11-20T09:30:00.000Z',
  next_cursor: null,
  withheld_units: 0,
  delivery_unit: 'company',
} as const;
const lookup = {
  as_of: '2026-11-20T09:30:00.000Z',
  coverage_status: 'partial',
  limitations: ['limited_source_coverage'],
  delivery_unit: 'company',
  withheld_units: 0,
} as const;

const companyResult: CompanyResult = {
  ...settled,
  ...retrieval,
  companies: [match],
  ranking: 'query_relevance_baseline',
  candidate_limit: 100,
  coverage: {
    requested_companies: 10,
    target_companies: 10,
    available_companies: 1,
    returned_companies: 1,
    occurred_after: '2026-10-21T00:00:00.000Z',
    stop_reason: 'sources_exhausted',
    limitations: ['limited_source_coverage', 'lexical_only'],
  },
};
const observationResult: ObservationResult = { ...settled, ...retrieval, observations: [observation] };
const companyLookup: CompanyLookupResult = {
  ...settled,
  ...lookup,
  limitations: [...lookup.limitations],
  companies: [company],
  lookups: [
    { id: 4711, status: 'found', company_id: 4711 },
    { id: 99, status: 'not_found' },
  ],
};
const observationLookup: ObservationLookupResult = {
  ...settled,
  ...lookup,
  limitations: [...lookup.limitations],
  observations: [observation],
  domains: [{ hostname: 'maple-cold.example', status: 'found' }],
  next_cursor: null,
};
const diagnostic: DiagnosticResult = {
  status: 'ok',
  subscription: { plan: 'builder', status: 'active' },
  usage: { ...unsettled, status: 'delivered' },
  request_allowance,
};
const report: UsageReport = {
  subscription: {
    plan: 'builder',
    status: 'active',
    current_period_start: '2026-11-01T00:00:00.000Z',
    current_period_end: '2026-12-01T00:00:00.000Z',
  },
  usage: {
    request_units: 42,
    weekly_request_units: 12,
    delivered_units: 180,
    weekly_delivered_units: 61,
    fresh_evidence_units: 9,
  },
  limits: {
    request_units: 1500,
    weekly_request_units: 500,
    delivered_units: 15_000,
    weekly_delivered_units: 5000,
  },
  reservations: { request_units: 1, delivered_units: 10 },
};
const usages: UsageList = {
  usages: [
    {
      usage: { ...unsettled, id: 1288, status: 'failed', request_key: '9b1d5c70-search' },
      action: 'company_search',
      query: 'bakeries that hire drivers',
      created_at: '2026-11-20T09:41:07.118Z',
      finished_at: '2026-11-20T09:41:09.902Z',
      error: {
        code: 'planning_unavailable',
        message: 'The search could not be prepared and nothing was charged: submit it again with a new request key.',
      },
    },
    {
      usage,
      action: 'company_search',
      query: match.match.query,
      created_at: '2026-11-20T09:29:59.640Z',
      finished_at: '2026-11-20T09:30:00.051Z',
      error: null,
    },
  ],
  next_cursor: null,
  as_of: '2026-11-20T10:00:00.000Z',
};
const statement: UsageStatement = {
  subscription: report.subscription,
  since: '2026-11-01T00:00:00.000Z',
  until: '2026-11-20T10:00:00.000Z',
  as_of: '2026-11-20T10:00:00.000Z',
  entries: [
    {
      usage_id: usage.id,
      request_key: usage.request_key,
      action: 'company_search',
      settled_at: '2026-11-20T09:30:00.048Z',
      kind: 'settlement',
      reason: null,
      request_units: 1,
      delivered_units: 1,
      fresh_evidence_units: 0,
    },
  ],
  totals: { request_units: 1, delivered_units: 1, fresh_evidence_units: 0 },
  next_cursor: null,
};
const companySearch: CompanySearchBody = {
  query: 'cold storage companies that build or enlarge a warehouse',
  filters: { countries: ['CA'], kinds: ['facility_expansion'] },
  limit: 10,
};
const observationSearch: ObservationSearchBody = { query: 'refrigerated warehouse', limit: 10 };
const observationPoll: ObservationLookupBody = { domains: ['maple-cold.example'], since: '2026-11-19T09:30:00.000Z' };

export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  searchCompanies: companySearch,
  searchObservations: observationSearch,
  queueObservationSearch: observationSearch,
  postObservationLookup: observationPoll,
  diagnose: {},
};

export const RESULT_EXAMPLES: Readonly<Record<string, object>> = {
  searchCompanies: companyResult,
  getUsage: companyResult satisfies Static<typeof AnyResult>,
  lookUpCompanies: companyLookup,
  getCompany: { company } satisfies CompanyDetail,
  lookUpObservations: observationLookup,
  postObservationLookup: observationLookup,
  listUsages: usages,
  getUsageReport: report,
  getUsageStatement: statement,
  diagnose: diagnostic,
  searchObservations: observationResult,
  queueObservationSearch: observationResult,
  getObservation: { observation } satisfies ObservationDetail,
};

export const PENDING_EXAMPLE: Pending = { usage: { ...unsettled, status: 'pending' }, request_allowance };
export const FAILED_CONTEXT: Pending = { usage: { ...unsettled, status: 'failed' }, request_allowance };
export const NOT_FOUND_CONTEXT: Pending = { usage: { ...usage, delivered_units: 0 }, request_allowance };
