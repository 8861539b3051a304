import Type, { type Static } from 'typebox';
import { CompanyMatch, Limitations } from './company.ts';
import { CompanySearchFilters } from './filters.ts';
import { Allowance, Operation } from './operation.ts';
import { Count, closed, Instant, namedChoice, orNull } from './primitives.ts';

export const CompanySearchBody = closed('CompanySearchBody', {
  query: Type.String({
    minLength: 1,
    description:
      'Natural-language description of companies and activity, 1 to 4000 characters after normalisation. `"…"` and `-word` are hard; all other words only weigh.',
  }),
  filters: Type.Optional(CompanySearchFilters),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Page size; at most 25 on plan builder, 50 on professional. Default 10, or `target` if smaller.',
    }),
  ),
  target: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Desired shortlist size, at least `limit`.' }),
  ),
  background: Type.Optional(
    Type.Boolean({ description: 'True answers 202 first, always; poll GET /api/usages/{id}.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        '`next_cursor` of the page before; repeat query, filters, limit and target with it and a new idempotency key.',
    }),
  ),
});
export type CompanySearchBody = Static<typeof CompanySearchBody>;

const Coverage = closed('Coverage', {
  requested_companies: Type.Integer({ minimum: 0, description: 'Requested page size.' }),
  target_companies: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'Acquisition goal: `target` when supplied, otherwise the page limit.',
    }),
  ),
  available_companies: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Companies of the frozen shortlist; not a market total.',
    }),
  ),
  returned_companies: Count,
  occurred_after: Type.Optional(
    orNull(Instant, 'Effective event-date cutoff; null for structural company-profile searches, unless one was given.'),
  ),
  stop_reason: Type.String({
    description:
      '`shortlist_page`, `target_reached`, `page_filled`, `time_budget_reached`, `acquisition_budget_reached`, `source_unavailable`, `candidate_limit_reached` or `sources_exhausted`; values may be added.',
  }),
  limitations: Limitations,
});

export const retrievalFields = {
  coverage_status: Type.Literal('partial'),
  retrieval: namedChoice(
    'Retrieval',
    ['lexical', 'hybrid'],
    '`hybrid`: vectors or a reranker took part in the order; `lexical`: only words.',
  ),
  as_of: Type.String({ format: 'date-time', description: 'When the shortlist was frozen; a replay keeps it.' }),
  next_cursor: orNull(Type.String(), 'Null on the last page.'),
  withheld_units: Type.Integer({
    minimum: 0,
    description: 'Settled companies that are not returned now because they lost evidence support.',
  }),
  delivery_unit: namedChoice(
    'DeliveryUnit',
    ['company', 'observation'],
    'Always `company`: settlement is per distinct company.',
  ),
};

export const CompanyResult = closed('CompanyResult', {
  usage: Operation,
  request_allowance: Allowance,
  ...retrievalFields,
  companies: Type.Array(CompanyMatch),
  ranking: Type.Literal('query_relevance_baseline'),
  candidate_limit: Type.Integer({ minimum: 100, maximum: 2000, description: 'max(100, 2 × target); 100 without.' }),
  coverage: Coverage,
});
export type CompanyResult = Static<typeof CompanyResult>;
