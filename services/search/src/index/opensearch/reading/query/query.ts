import type { QueryContainer } from '@opensearch-project/opensearch/api/_types/_common.query_dsl.js';

export type Query = QueryContainer;

export function anyOf(queries: readonly Query[]): Query {
  const [only] = queries;
  if (only === undefined) return { match_none: {} };
  return queries.length === 1 ? only : { bool: { should: [...queries], minimum_should_match: 1 } };
}

export function noneOf(queries: readonly Query[]): Query {
  return { bool: { must_not: [...queries] } };
}

export function constant(filter: Query, gain: number, name?: string): Query {
  return { constant_score: { filter, boost: gain, ...(name !== undefined && { _name: name }) } };
}

export function term(field: string, value: string | number | boolean): Query {
  return { term: { [field]: { value } } };
}

export function terms(field: string, values: readonly (string | number)[]): Query {
  return { terms: { [field]: [...values] } };
}

export function range(
  field: string,
  bounds: { readonly gte?: number; readonly gt?: number; readonly lt?: number; readonly lte?: number },
): Query {
  return { range: { [field]: bounds } };
}
