import type { Query } from '../query/query.ts';

export interface FoundObservation {
  readonly observationId: number;
  readonly companyId: number;
  readonly kind: number;
  readonly occurredAt: number | undefined;
  readonly facts: readonly number[] | undefined;
  readonly score: number;
  readonly names: ReadonlySet<string>;
}

export interface Hit {
  readonly fields?: Readonly<Record<string, readonly (number | string)[]>>;
  readonly sort?: readonly (number | string | null)[];
  readonly matched_queries?: readonly string[];
  readonly _index?: string;
  readonly _primary_term?: number;
}

/** Recency and then the id break ties. */
const BEST_FIRST = [
  { _score: { order: 'desc' } },
  { occurred_at: { order: 'desc', missing: '_last' } },
  { observation_id: { order: 'asc' } },
];
const READ = {
  docvalue_fields: ['observation_id', 'company_id', 'kind', 'occurred_at', 'facts'],
  _source: false,
  stored_fields: '_none_',
};

export function bestOfCompanies(query: Query, size: number) {
  return { ...bestObservations(query, size), collapse: { field: 'company_id' } };
}

export function bestObservations(query: Query, size: number) {
  return { query, size, sort: BEST_FIRST, track_total_hits: false, ...READ };
}

export function bestOfEach(query: Query, companies: readonly number[], each: number) {
  return {
    query,
    size: 0,
    track_total_hits: false,
    aggregations: {
      companies: {
        terms: { field: 'company_id', include: [...companies], size: companies.length },
        aggregations: { best: { top_hits: { size: each, sort: BEST_FIRST, ...READ } } },
      },
    },
  };
}

export function foundOf({ fields = {}, sort = [], matched_queries = [] }: Hit): FoundObservation {
  const first = (field: string) => fields[field]?.[0];
  const occurredAt = first('occurred_at');
  return {
    observationId: Number(first('observation_id')),
    companyId: Number(first('company_id')),
    kind: Number(first('kind') ?? 0),
    occurredAt: occurredAt === undefined ? undefined : Number(occurredAt),
    facts: fields.facts?.map(Number),
    score: Number(sort[0] ?? 0),
    names: new Set(matched_queries),
  };
}
