import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { SearchRequest } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { planMistakes } from '../planning/validate-plan.ts';

const LIST_VALUES = 200;

/** Throws INVALID_REQUEST with `sentence` unless `holds`. */
function require(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw fail(FailureCode.INVALID_REQUEST, sentence);
}

export function requireFilters(filters: SearchFilters | undefined): SearchFilters {
  require(filters !== undefined && filters.kinds.length > 0, 'Filters must name at least one kind.');
  require(!filters.kinds.includes(Kind.UNSPECIFIED), 'Filters must name known kinds.');
  const lists = [filters.companyIds, filters.domains, filters.excludeCompanyIds, filters.excludeDomains];
  require(lists.every(
    (list) => list.length <= LIST_VALUES,
  ), `A list in the filters has at most ${LIST_VALUES} values.`);
  return filters;
}

/** In code points, not UTF-16 units. */
export function requireText(text: string, most: number, what: string): string {
  const length = [...text].length;
  require(length >= 1 && length <= most, `${what} must have 1 to ${most} characters.`);
  return text;
}

export function requireCount(value: number, least: number, most: number, what: string): number {
  require(value >= least && value <= most, `${what} must be from ${least} to ${most}.`);
  return value;
}

export interface Limits {
  readonly candidates: number;
  readonly companies: number;
}

export function requireLimits(request: Pick<SearchRequest, 'candidateLimit' | 'maxCompanies'>): Limits {
  return {
    candidates: requireCount(request.candidateLimit, 100, 2000, 'candidate_limit'),
    companies: requireCount(request.maxCompanies, 1, 1000, 'max_companies'),
  };
}

export function requireSearch({ plan, filters }: Pick<SearchRequest, 'plan' | 'filters'>) {
  require(plan !== undefined, 'A plan is needed.');
  const mistakes = planMistakes(plan);
  require(mistakes.length === 0, `The plan cannot be searched: ${mistakes.join('; ')}.`);
  return { plan, filters: requireFilters(filters) };
}
