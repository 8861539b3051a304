import { ofCompanies } from '../query/filters.ts';
import type { Query } from '../query/query.ts';
import { type ContextLevel, type RankedSearch, rankingQuery } from '../query/ranking-query.ts';
import type { OneSearch, SearchAnswer } from '../search-many.ts';
import { type DescribedCompanies, levelsOf } from './described-companies.ts';
import { bestOfCompanies, type FoundObservation, foundOf } from './found-observations.ts';
import { retrievingBesideWords, retrievingOfDescribed } from './retrieving.ts';

/** Companies that are looked at beyond those that are asked for: their order is that of upper bounds. */
const SLACK = 50;

/** How candidates are looked for. */
export interface CandidateSearches {
  /** By their own texts, by a kind or a place alone. */
  readonly byText: Query | undefined;
  /** Of companies that fit by their descriptions. */
  readonly ofDescribed: Query | undefined;
  readonly levels: readonly ContextLevel[];
  /** Companies that each gives at most. */
  readonly size: number;
}

/** A company and no less than its score, before that is normalised. */
export interface Candidate {
  readonly companyId: number;
  readonly atMost: number;
}

export interface Candidates {
  /** Those that may be worth the most first. */
  readonly found: readonly Candidate[];
  /** No company that was not found is worth more; 0 where all were. */
  readonly mostBeyond: number;
  readonly isPartial: boolean;
}

/** What is looked for; a search that can find nothing is left out. */
export function candidateSearches(
  search: RankedSearch,
  described: DescribedCompanies,
  companies: number,
): CandidateSearches {
  const { plan, scoring } = search;
  const besideWords = retrievingBesideWords(plan, scoring);
  const isTextAsked = besideWords.length > 0 || scoring.own.candidateTerms.length > 0;
  const levels = levelsOf(described);
  const theirs = { ...search, filters: [...search.filters, ofCompanies([...described.gains.keys()])] };
  return {
    byText: isTextAsked ? rankingQuery(search, besideWords, []) : undefined,
    ofDescribed:
      levels.length > 0 ? rankingQuery(theirs, [retrievingOfDescribed(plan), ...besideWords], levels) : undefined,
    levels,
    size: companies + Math.min(companies, described.gains.size) + SLACK,
  };
}

/** The searches that go out, those by text first. */
export function searchesOf({ byText, ofDescribed, levels, size }: CandidateSearches, index: string): OneSearch[] {
  const companies = levels.reduce((sum, level) => sum + level.companies.length, 0);
  return [
    ...(byText ? [{ index, body: bestOfCompanies(byText, size) }] : []),
    ...(ofDescribed ? [{ index, body: bestOfCompanies(ofDescribed, companies) }] : []),
  ];
}

/** Companies that were found by their own texts, and not among those that fit best. */
export function foundBeyond(
  { byText }: CandidateSearches,
  [answer]: readonly SearchAnswer[],
  { gains }: DescribedCompanies,
): number[] {
  const found = byText ? (answer?.hits ?? []).map((hit) => foundOf(hit).companyId) : [];
  return found.filter((companyId) => !gains.has(companyId));
}

/** Puts the answers together: a company that fits is worth what the search of such companies says. */
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
