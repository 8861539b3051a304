import { planWords } from '../../../ranking/plan-traits.ts';
import type { Ranking, RankingQuery } from '../../../ranking/ranking.ts';
import { prepareScoring } from '../../../ranking/scoring.ts';
import { findMisspellings, withSpellingCandidates } from '../../../ranking/spelling.ts';
import { hitOf } from '../../scored-observation.ts';
import { reachBefore } from '../partitions/searched-partitions.ts';
import { type MemoryIndex, viewOf, viewOfAll } from './memory-index.ts';
import { rankDocuments } from './ranking/rank-documents.ts';
import type { SearchMoment } from './search-moment.ts';
import { searchedPartitions } from './searched-partitions.ts';
import { readSpellingCandidates, readTermStatistics } from './statistics/term-statistics.ts';

/** Ranks without awaiting anything, so that the index does not change meanwhile. */
export function rankInMemory(
  index: MemoryIndex,
  query: RankingQuery,
  { partitioning, version: { version, position, keptFrom, now } }: SearchMoment,
): Ranking {
  const { filters } = query;
  const all = viewOfAll(index);
  const terms = readTermStatistics(all, planWords(query.plan));
  const misspellings = findMisspellings(query.plan, terms);
  const { plan, statistics } = withSpellingCandidates(query.plan, terms, readSpellingCandidates(all, misspellings));
  const scoring = prepareScoring(plan, filters, statistics);
  const partitions = searchedPartitions(filters, partitioning);
  const view = viewOf(index, partitions);
  const { rows, isRetrievalCut } = rankDocuments(view, { ...query, ...partitioning, scoring }, now);
  const asksForDiscarded = keptFrom !== undefined && reachBefore(filters, keptFrom, partitioning);
  return {
    hits: rows.map((row) => hitOf(row, query, scoring)),
    droppedTerms: scoring.unscoredTerms,
    truncated: scoring.unscoredTerms.length > 0,
    monthsLeftOut: asksForDiscarded || partitions.events < index.from,
    retrievalCut: isRetrievalCut,
    countedObservations: statistics.observations.documents,
    ranksByWords: scoring.ranksByWords,
    scoring: { own: scoring.own, context: scoring.context },
    /* Changes that wrote nothing move only the feed. */
    position: index.version === version ? position : index.position,
  };
}
