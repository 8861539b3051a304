import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
import { ofCompanies } from '../query/filters.ts';
import { type Query, term } from '../query/query.ts';
import type { ContextLevel } from '../query/ranking-query.ts';
import { scoredTerm } from '../query/scored-terms.ts';
import type { SearchAnswer } from '../search-many.ts';

/** Companies that are looked at for their descriptions, the best. */
const DESCRIBED_COMPANIES = 1000;
/** Sorts of gains that a query tells apart. */
const LEVELS = 32;

/** Companies that fit by their descriptions, and what each gives its observations, in idf units. */
export interface DescribedCompanies {
  /** Of the best. */
  readonly gains: ReadonlyMap<number, number>;
  /** Of those beyond that were found by their observations. */
  readonly others: ReadonlyMap<number, number>;
  /** What none beyond the best exceeds; 0 where they are all. */
  readonly mostBeyond: number;
}

export const NONE_DESCRIBED: DescribedCompanies = { gains: new Map(), others: new Map(), mostBeyond: 0 };

/** The search for the best of them, or for those among some companies, on the index of companies. */
export function describedBody(terms: readonly WeighedTerm[], among?: readonly number[]) {
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

export function describedOf(answer: SearchAnswer): DescribedCompanies {
  const gains = describedGains(answer);
  const isCut = (answer.total ?? 0) > DESCRIBED_COMPANIES;
  return { gains, others: new Map(), mostBeyond: isCut ? ([...gains.values()].at(-1) ?? 0) : 0 };
}

/** What each company that was found gives its observations. */
export function describedGains({ hits }: SearchAnswer): ReadonlyMap<number, number> {
  return new Map(
    hits.map(({ fields, sort }) => [Number(fields?.company_id?.[0]), Number(sort?.[0] ?? 0) * CONTEXT_WEIGHT]),
  );
}

/** A few sorts of gains, each rounded up, so that a query can count them. */
export function levelsOf({ gains }: DescribedCompanies): ContextLevel[] {
  const most = Math.max(0, ...gains.values());
  if (most === 0) return [];
  const levelOf = (gain: number) => Math.ceil((gain / most) * LEVELS);
  const byLevel = Map.groupBy(gains.keys(), (company) => levelOf(gains.get(company) ?? 0));
  return [...byLevel].map(([level, companies]) => ({ gain: (level / LEVELS) * most, companies }));
}
