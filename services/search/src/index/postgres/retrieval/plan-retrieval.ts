import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { Scoring } from '../../../ranking/scoring.ts';
import type { WeighedTerm } from '../../../ranking/weigh-terms.ts';
import type { IndexStatistics } from '../statistics/read-statistics.ts';
import { chooseCandidateTerms, oldestPartitionWithin } from './candidate-terms.ts';
import { type Conjunction, chooseConjunctions } from './conjunctive-retrieval.ts';
import { passingShare, searchedShare } from './retrieval-cost.ts';

/** The plan retrieves candidates within a match budget. All terms are scored regardless. */
export interface RetrievalPlan {
  readonly own: readonly WeighedTerm[];
  readonly conjunctions: readonly Conjunction[];
  readonly context: readonly WeighedTerm[];
  /** If set, words retrieve nothing older: a single word already has too many matches. */
  readonly oldestPartition: string | undefined;
  /** Whether the GIN index also filters by kind and country, so that no excluded row is read. */
  readonly isFilteredByIndex: boolean;
  readonly mostMatches: number;
  readonly droppedTerms: readonly string[];
}

export interface RetrievalBounds {
  readonly filters: SearchFilters;
  readonly statistics: IndexStatistics;
  readonly firstPartition: string;
  readonly budget: number;
}

/** Conjunctions get this share in addition to the budget. */
const CONJUNCTIONS_SHARE = 0.5;
const DESCRIPTIONS_SHARE = 0.9;
/** Above this share of passing observations, filtering in the index hardly pays. */
const MOST_PASSING = 0.5;
/**
 * At most this many budgets are scored: the first word may exceed one, and counts are estimates.
 */
const SCORED_BUDGETS = 3;

/** Chooses retrieval terms by the cost of their matches (decision 0020). */
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
