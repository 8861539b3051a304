import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Parameters } from './parameters.ts';

/** The kind is multiplied by this in a code; country numbers are lower. */
const KINDS = 1000;

/**
 * Filters by kind, or kind and country, with the expression of the GIN index. It must equal the
 * index definition (decision 0020), otherwise Postgres uses no index.
 */
export function indexCodesCondition({ kinds, countries }: SearchFilters, row: string, parameters: Parameters): string {
  const codes =
    countries.length > 0 ? kinds.flatMap((kind) => countries.map((country) => kind * KINDS + country)) : kinds;
  return `array[${row}.kind::integer, ${row}.kind * ${KINDS} + ${row}.country] && ${parameters.add(codes, 'integer[]')}`;
}
