import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
import { ofCompanies } from '../query/filters.ts';
import { type Query, term } from '../query/query.ts';
import type { ContextLevel } from '../query/ranking-query.ts';
import { scoredTerm } from '../query/scored-terms.ts';
import type { SearchAnswer } from '../search-many.ts';

const DESCRIBED_COMPANIES = 1000;
const LEVELS = 32;

export interface DescribedCompanies {
  readonly gains: ReadonlyMap<number, number>;
  /** These companies were found by their observations and are not among the best. */
  readonly others: ReadonlyMap<number, number>;
  readonly mostBeyond: number;
}

export const NONE_DESCRIBED: DescribedCompanies = { gains: new Map(), others: new Map(), mostBeyond: 0 };

export function descriptionSearchBody(terms: readonly WeighedTerm[], among?: readonly number[]) {
  const query: Query = {
    bool: {
      filter: [term('is_survivor', true), term('tombstone', false), ...(among ? [ofCompanies(among)] : [])],
      must: [{ bool: { should: terms.map((one) => scoredTerm(one)), minimum_should_match: 1 } }],
    },
  };
  return {
    query,
    size: among?.length ?? DESCRIBED_COMPANIES,
    sort: [{ _score: { order: 'desc' } }, { company_id: { order: 'asc' } }],
    track_total_hits: DESCRIBED_COMPANIES + 1,
    docvalue_fields: ['company_id'],
    _source: false,
    stored_fields: '_none_',
  };
}

export function describedCompaniesOf(answer: SearchAnswer): DescribedCompanies {
  const gains = describedGains(answer);
  const isCut = (answer.total ?? 0) > DESCRIBED_COMPANIES;
  return { gains, others: new Map(), mostBeyond: isCut ? ([...gains.values()].at(-1) ?? 0) : 0 };
}

export function describedGains({ hits }: SearchAnswer): ReadonlyMap<number, number> {
  return new Map(
    hits.map(({ fields, sort }) => [Number(fields?.company_id?.[0]), Number(sort?.[0] ?? 0) * CONTEXT_WEIGHT]),
  );
}

/** Groups companies into few levels, rounding gains up, so that a query can include them. */
export function levelsOf({ gains }: DescribedCompanies): ContextLevel[] {
  const most = Math.max(0, ...gains.values());
  if (most === 0) return [];
  const levelOf = (gain: number) => Math.ceil((gain / most) * LEVELS);
  const byLevel = Map.groupBy(gains.keys(), (company) => levelOf(gains.get(company) ?? 0));
  return [...byLevel].map(([level, companies]) => ({ gain: (level / LEVELS) * most, companies }));
}
