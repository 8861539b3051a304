import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from '../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { IndexStatistics } from '../statistics/read-statistics.ts';
import { chooseCandidateTerms, oldestPartitionWithin } from './candidate-terms.ts';
import { type Conjunction, chooseConjunctions } from './conjunctive-retrieval.ts';
import { passingShare, searchedShare } from './retrieval-cost.ts';

/** How one statement retrieves candidates within its match budget. Every term of the scoring is scored all the same. */
export interface RetrievalPlan {
  /** Terms of which any one retrieves an observation. */
  readonly own: readonly WeighedTerm[];
  /** Terms that retrieve an observation only where it has several of them. */
  readonly conjunctions: readonly Conjunction[];
  /** Terms of which any one retrieves a company by its description. */
  readonly context: readonly WeighedTerm[];
  /** Where it is set, words retrieve nothing from older partitions: one word by itself has too many matches. */
  readonly oldestPartition: string | undefined;
  /** Whether the index of words is asked for kinds and countries too, so that no row is read that these leave out. */
  readonly isFilteredByIndex: boolean;
  /** Matches that are scored at most. */
  readonly mostMatches: number;
  /** Words that retrieve no candidates by themselves, since they are too frequent, as written. */
  readonly droppedTerms: readonly string[];
}

/** What a retrieval is planned for. */
export interface RetrievalBounds {
  readonly filters: SearchFilters;
  readonly statistics: IndexStatistics;
  /** The oldest partition that the filters leave in. */
  readonly firstPartition: string;
  /** Bounds the matches of either text. */
  readonly budget: number;
}

/** Conjunctions may take so much of the budget beside. */
const CONJUNCTIONS_SHARE = 0.5;
/** Part of the budget that is left to descriptions. */
const DESCRIPTIONS_SHARE = 0.9;
/** Share of observations that kinds and countries let through, up to which the index is asked for them: beyond, that hardly pays. */
const MOST_PASSING = 0.5;
/** Budgets that are scored at most, since the first word may have more matches than one, and counts are estimates. */
const SCORED_BUDGETS = 3;

/** Chooses what retrieves candidates by what their matches cost (decision 0020). */
export function planRetrieval({ own, context, unscoredTerms }: Scoring, bounds: RetrievalBounds): RetrievalPlan {
  const { filters, statistics, firstPartition, budget } = bounds;
  const searchesObservations = own.corpus === 'observations';
  const partitions = statistics.partitions.filter(({ partition }) => partition >= firstPartition);
  const searched = {
    documents: statistics[own.corpus].documents,
    share: searchedShare(partitions, statistics.partitions),
    passing: searchesObservations ? passingShare(filters, statistics.sharesOf) : 1,
  };
  const descriptions = { documents: statistics.descriptions.documents, share: 1, passing: 1 };
  const chosen = chooseCandidateTerms(own.candidateTerms, searched, budget);
  const mostMatches = budget * SCORED_BUDGETS;
  return {
    own: chosen.terms,
    conjunctions: chooseConjunctions(chosen.dropped, searched, budget * CONJUNCTIONS_SHARE),
    context: chooseCandidateTerms(context.candidateTerms, descriptions, budget * DESCRIPTIONS_SHARE).terms,
    oldestPartition: searchesObservations ? oldestPartitionWithin(partitions, chosen.expected, mostMatches) : undefined,
    isFilteredByIndex: searched.passing <= MOST_PASSING,
    mostMatches,
    droppedTerms: [...unscoredTerms, ...chosen.dropped.map((term) => term.text)],
  };
}
