import type { WeighedTerm } from '../../../../ranking/weigh-terms.ts';
import { CONTEXT_WEIGHT } from '../../../../ranking/weights.ts';
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
  readonly gains: ReadonlyMap<number, number>;
  /** What none beyond them exceeds; 0 where they are all. */
  readonly mostBeyond: number;
}

/** The search for them, on the index of companies. */
export function describedBody(terms: readonly WeighedTerm[]) {
  const query: Query = {
    bool: {
      filter: [term('is_survivor', true), term('tombstone', false)],
      must: [{ bool: { should: terms.map((one) => scoredTerm(one)), minimum_should_match: 1 } }],
    },
  };
  return {
    query,
    size: DESCRIBED_COMPANIES,
    sort: [{ _score: { order: 'desc' } }, { company_id: { order: 'asc' } }],
    track_total_hits: DESCRIBED_COMPANIES + 1,
    docvalue_fields: ['company_id'],
    _source: false,
    stored_fields: '_none_',
  };
}

export function describedOf({ hits, total = 0 }: SearchAnswer): DescribedCompanies {
  const gains = hits.map(({ fields, sort }): [number, number] => [
    Number(fields?.company_id?.[0]),
    Number(sort?.[0] ?? 0) * CONTEXT_WEIGHT,
  ]);
  return { gains: new Map(gains), mostBeyond: total > DESCRIBED_COMPANIES ? (gains.at(-1)?.[1] ?? 0) : 0 };
}

/** A few sorts of gains, each rounded up, so that a query can count them. */
export function levelsOf({ gains }: DescribedCompanies): ContextLevel[] {
  const most = Math.max(0, ...gains.values());
  if (most === 0) return [];
  const levelOf = (gain: number) => Math.ceil((gain / most) * LEVELS);
  const byLevel = Map.groupBy(gains.keys(), (company) => levelOf(gains.get(company) ?? 0));
  return [...byLevel].map(([level, companies]) => ({ gain: (level / LEVELS) * most, companies }));
}
