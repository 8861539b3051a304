import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';

/**
 * Closed schemas of the public bodies. They are written by hand, so that they do not depend on the
 * gateway's document.
 */
const text = { type: 'string' };
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const count = { type: 'integer', minimum: 0 };
const instant = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' };
const texts = { type: 'array', items: text };
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: object, bounds: object = {}) => ({ type: 'array', items, ...bounds });

/** An object schema without additional properties. A name that ends in `?` is optional. */
function object(fields: Record<string, object>): AnySchemaObject {
  const entries = Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema] as const);
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return { type: 'object', additionalProperties: false, required, properties: Object.fromEntries(entries) };
}

const ACTIONS = ['company_search', 'observation_search', 'company_lookup', 'observation_lookup', 'diagnostic'];
const usage = object({
  id,
  status: { enum: ['pending', 'processing', 'delivered', 'failed'] },
  request_key: text,
  request_units: count,
  delivered_units: count,
  fresh_evidence_units: count,
});
const request_allowance = object({ window_seconds: count, window_remaining: count, weekly_remaining: count });
const evidence = object({
  source_uri: text,
  excerpt: text,
  occurred_at: orNull(instant),
  observed_at: instant,
  'last_seen_at?': instant,
});
const demandClass = { enum: ['explicit_request', 'proxy', 'structural'] };
const observationFields = {
  id,
  kind: {
    enum: [
      ...['procurement_request', 'facility_expansion', 'funding_round', 'leadership_change', 'product_launch'],
      ...['partnership', 'technology_use', 'job_posting', 'company_profile'],
    ],
  },
  observed_fact: text,
  why_it_may_matter: text,
  demand_class: demandClass,
  country: { enum: ['CA', 'US'] },
  confidence: { type: 'number', minimum: 0, maximum: 1 },
  occurred_at: orNull(instant),
  observed_at: instant,
  expires_at: orNull(instant),
  evidence: list(evidence),
  'categories?': list(
    {
      enum: [
        ...['11', '21', '22', '23', '31-33', '42', '44-45', '48-49', '51', '52'],
        ...['53', '54', '55', '56', '61', '62', '71', '72', '81', '92'],
      ],
    },
    { maxItems: 100 },
  ),
};
const supporting = object(observationFields);
const observation = object({ ...observationFields, company: object({ id, name: text }) });
const domains = list(object({ id, hostname: text }));
const observations = list(supporting, { maxItems: 3 });
const company = object({ id, name: text, domains, observations, limitations: texts });
const match = object({
  id,
  name: text,
  domains,
  limitations: texts,
  demand_class: demandClass,
  why_it_may_matter: text,
  match: object({ query: text, observation_ids: list(id) }),
  observations,
});
const coverage = object({
  requested_companies: count,
  'target_companies?': { type: 'integer', minimum: 1, maximum: 1000 },
  'available_companies?': { type: 'integer', minimum: 0, maximum: 1000 },
  returned_companies: count,
  'occurred_after?': orNull(instant),
  stop_reason: text,
  limitations: texts,
});
const retrieval = {
  usage,
  request_allowance,
  coverage_status: { const: 'partial' },
  retrieval: { enum: ['lexical', 'hybrid'] },
  as_of: instant,
  next_cursor: orNull(text),
  withheld_units: count,
  delivery_unit: { enum: ['company', 'observation'] },
};
const lookup = {
  usage,
  request_allowance,
  as_of: instant,
  coverage_status: { const: 'partial' },
  limitations: texts,
  delivery_unit: { const: 'company' },
  withheld_units: count,
};
const outcome = (input: Record<string, object>) => [
  object({ ...input, status: { const: 'found' }, company_id: id }),
  object({ ...input, status: { enum: ['not_found', 'ambiguous', 'unavailable'] } }),
];

const SCHEMAS = {
  CompanyResult: object({
    ...retrieval,
    companies: list(match),
    ranking: { const: 'query_relevance_baseline' },
    candidate_limit: { type: 'integer', minimum: 100, maximum: 2000 },
    coverage,
  }),
  ObservationResult: object({ ...retrieval, observations: list(observation) }),
  DiagnosticResult: object({
    status: { const: 'ok' },
    subscription: object({ plan: text, status: text }),
    usage,
    request_allowance,
  }),
  CompanyLookupResult: object({
    ...lookup,
    companies: list(company, { maxItems: 20 }),
    lookups: list({ oneOf: [...outcome({ id }), ...outcome({ domain: text })] }, { minItems: 1, maxItems: 20 }),
  }),
  ObservationLookupResult: object({
    ...lookup,
    observations: list(observation, { maxItems: 100 }),
    domains: list(object({ hostname: text, status: { enum: ['found', 'not_found'] } }), { minItems: 1, maxItems: 100 }),
    next_cursor: orNull(text),
  }),
  CompanyDetail: object({ company }),
  ObservationDetail: object({ observation }),
  Pending: object({ usage, request_allowance }),
  UsageReport: object({
    subscription: object({ plan: text, status: text, current_period_start: instant, current_period_end: instant }),
    usage: object({
      request_units: count,
      weekly_request_units: count,
      delivered_units: count,
      weekly_delivered_units: count,
      fresh_evidence_units: count,
    }),
    limits: object({
      request_units: count,
      weekly_request_units: count,
      delivered_units: count,
      weekly_delivered_units: count,
    }),
    reservations: object({ request_units: count, delivered_units: count }),
  }),
  UsageList: object({
    usages: list(
      object({
        usage,
        action: { enum: ACTIONS },
        query: orNull(text),
        created_at: instant,
        finished_at: orNull(instant),
        error: orNull(object({ code: text, message: text })),
      }),
      { maxItems: 100 },
    ),
    next_cursor: orNull(text),
    as_of: instant,
  }),
  UsageStatement: object({
    subscription: object({ plan: text, status: text, current_period_start: instant, current_period_end: instant }),
    since: instant,
    until: instant,
    as_of: instant,
    entries: list(
      object({
        usage_id: id,
        request_key: orNull(text),
        action: orNull({ enum: ACTIONS }),
        settled_at: instant,
        kind: { enum: ['settlement', 'reversal'] },
        reason: orNull(text),
        request_units: { type: 'integer' },
        delivered_units: { type: 'integer' },
        fresh_evidence_units: { type: 'integer' },
      }),
      { maxItems: 1000 },
    ),
    totals: object({ request_units: count, delivered_units: count, fresh_evidence_units: count }),
    next_cursor: orNull(text),
  }),
  Error: object({
    error: object({ code: text, message: text, 'retry_at?': instant, 'retry_after_seconds?': count }),
    'usage?': usage,
    'request_allowance?': request_allowance,
  }),
} as const;

export type BodyName = keyof typeof SCHEMAS;

const ajv = new Ajv2020({ allErrors: true, strict: false });
const checks = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]));

export function bodyFault(body: unknown, name: BodyName): string | undefined {
  const check = checks.get(name);
  return check?.(body) ? undefined : ajv.errorsText(check?.errors);
}
