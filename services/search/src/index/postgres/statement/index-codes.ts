import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Parameters } from './parameters.ts';

/** What stands in a code before the country; countries have lower numbers. */
const KINDS = 1000;

/**
 * Filters by kind and country in terms of what the index of words holds beside the words of a row of `entry`: its kind, and its
 * kind with its country. The same expression as in the index (decision 0020), or no index answers.
 */
export function indexCodesCondition({ kinds, countries }: SearchFilters, row: string, parameters: Parameters): string {
  const codes =
    countries.length > 0 ? kinds.flatMap((kind) => countries.map((country) => kind * KINDS + country)) : kinds;
  return `array[${row}.kind::integer, ${row}.kind * ${KINDS} + ${row}.country] && ${parameters.add(codes, 'integer[]')}`;
}
