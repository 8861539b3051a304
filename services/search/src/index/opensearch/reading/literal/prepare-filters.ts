import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { Plan, SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { microsOf } from '../../../instants.ts';
import type { FilterContext } from '../query/filters.ts';
import type { Query } from '../query/query.ts';
import type { MultiSearchItem, SearchAnswer } from '../search-many.ts';
import { companiesOfDomains, survivorsOf } from './companies-of-domains.ts';
import { companiesWith, conditionsOf, isIncomplete, type LiteralCondition, literalQuery } from './literal-queries.ts';

export interface PreparedFilters {
  readonly searches: readonly MultiSearchItem[];
  resolve(answers: readonly SearchAnswer[]): ResolvedFilters;
}

interface ResolvedFilters {
  readonly conditions: readonly Query[];
  readonly context: FilterContext;
  /** These exclusions matched too many companies. They are checked again for each result. */
  readonly unseen: readonly LiteralCondition[];
  /** True if not all relevant companies were read. */
  readonly isCut: boolean;
  readonly monthsLeftOut: boolean;
}

export interface FilterSources {
  readonly companies: string;
  /** Events from this instant on are indexed, in microseconds since 1970; undefined for all. */
  readonly keptFrom: number | undefined;
  readonly now: () => number;
}

export function prepareFilters(
  { plan, filters }: { readonly plan: Pick<Plan, 'phrases' | 'excluded'>; readonly filters: SearchFilters },
  { companies: index, keptFrom, now }: FilterSources,
): PreparedFilters {
  const literal = conditionsOf(plan.phrases, plan.excluded);
  const hostnames = [filters.domains, filters.excludeDomains].filter((list) => list.length > 0);
  const at = now();
  return {
    searches: [
      ...literal.map((condition) => companiesWith(condition, index)),
      ...hostnames.map((list) => companiesOfDomains(list, at, index)),
    ],
    resolve(answers) {
      const ofLiteral = answers.slice(0, literal.length);
      const ofHostnames = answers.slice(literal.length).map(survivorsOf);
      return {
        conditions: literal.flatMap((condition, place) => {
          const companies = ofLiteral[place];
          return companies ? [literalQuery(condition, companies)] : [];
        }),
        context: {
          now: at,
          keptFrom,
          ofDomains: filters.domains.length > 0 ? (ofHostnames[0] ?? []) : [],
          ofExcludedDomains: filters.excludeDomains.length > 0 ? (ofHostnames.at(-1) ?? []) : [],
        },
        unseen: literal.filter(({ isExcluded }, place) => {
          const companies = ofLiteral[place];
          return isExcluded && companies !== undefined && isIncomplete(companies);
        }),
        isCut: answers.some(isIncomplete),
        monthsLeftOut: reachesBefore(filters, keptFrom),
      };
    },
  };
}

function reachesBefore({ kinds, occurredAfter }: SearchFilters, from: number | undefined): boolean {
  if (from === undefined || kinds.every((kind) => kind === Kind.COMPANY_PROFILE)) return false;
  return occurredAfter === undefined || microsOf(occurredAfter) < from;
}
