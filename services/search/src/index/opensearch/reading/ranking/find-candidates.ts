import { ofCompanies } from '../query/filters.ts';
import type { Query } from '../query/query.ts';
import { type ContextLevel, type RankedSearch, rankingQuery } from '../query/ranking-query.ts';
import type { MultiSearchItem, SearchAnswer } from '../search-many.ts';
import { type DescribedCompanies, levelsOf } from './described-companies.ts';
import { bestOfCompanies, type FoundObservation, foundOf } from './found-observations.ts';
import { describedQuery, wordlessQueries } from './wordless-queries.ts';

/** The order is that of upper bounds, so more are found than requested. */
const SLACK = 50;

export interface CandidateSearches {
  readonly byText: Query | undefined;
  readonly ofDescribed: Query | undefined;
  readonly levels: readonly ContextLevel[];
  readonly size: number;
}

/** `atMost` is an upper bound of the unnormalised score. */
export interface Candidate {
  readonly companyId: number;
  readonly atMost: number;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  readonly mostBeyond: number;
  readonly isPartial: boolean;
}

export function candidateSearches(
  search: RankedSearch,
  described: DescribedCompanies,
  companies: number,
): CandidateSearches {
  const { plan, scoring } = search;
  const wordless = wordlessQueries(plan, scoring);
  const isTextAsked = wordless.length > 0 || scoring.own.candidateTerms.length > 0;
  const levels = levelsOf(described);
  const theirs = { ...search, filters: [...search.filters, ofCompanies([...described.gains.keys()])] };
  return {
    byText: isTextAsked ? rankingQuery(search, wordless, []) : undefined,
    ofDescribed: levels.length > 0 ? rankingQuery(theirs, [describedQuery(plan), ...wordless], levels) : undefined,
    levels,
    size: companies + Math.min(companies, described.gains.size) + SLACK,
  };
}

export function searchesOf({ byText, ofDescribed, levels, size }: CandidateSearches, index: string): MultiSearchItem[] {
  const companies = levels.reduce((sum, level) => sum + level.companies.length, 0);
  return [
    ...(byText ? [{ index, body: bestOfCompanies(byText, size) }] : []),
    ...(ofDescribed ? [{ index, body: bestOfCompanies(ofDescribed, companies) }] : []),
  ];
}

export function foundOnlyByText(
  { byText }: CandidateSearches,
  [answer]: readonly SearchAnswer[],
  { gains }: DescribedCompanies,
): number[] {
  const found = byText ? (answer?.hits ?? []).map((hit) => foundOf(hit).companyId) : [];
  return found.filter((companyId) => !gains.has(companyId));
}

/** The search by description takes precedence for companies that match both. */
export function candidatesOf(
  searches: CandidateSearches,
  answers: readonly SearchAnswer[],
  { others, mostBeyond: ofUndescribed }: DescribedCompanies,
  highestFactor: number,
): Candidates {
  const [byText, ofDescribed] = searches.byText ? answers : [undefined, ...answers];
  const atMost = new Map<number, number>();
  const take = ({ companyId, score }: FoundObservation) =>
    atMost.set(companyId, score + (others.get(companyId) ?? 0) * highestFactor);
  const own = (byText?.hits ?? []).map(foundOf);
  own.forEach(take);
  (ofDescribed?.hits ?? []).map(foundOf).forEach(take);
  const isWhole = own.length < searches.size;
  const beyond = (isWhole ? 0 : (own.at(-1)?.score ?? 0)) + ofUndescribed * highestFactor;
  return {
    found: [...atMost]
      .map(([companyId, score]) => ({ companyId, atMost: score }))
      .toSorted((a, b) => b.atMost - a.atMost || 0),
    mostBeyond: beyond,
    isPartial: answers.some(({ isPartial }) => isPartial),
  };
}
