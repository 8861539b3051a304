import type { Pool } from '@ces/chassis/postgres/pool';
import { planWords } from '../../../ranking/plan-traits.ts';
import { prepareScoring } from '../../../ranking/scoring.ts';
import { findMisspellings, withSpellingCandidates } from '../../../ranking/spelling.ts';
import type { Ranking, RankingQuery } from '../../observation-index.ts';
import { hitOf } from '../../scored-observation.ts';
import { firstPartition, reachBefore } from '../partitions/searched-partitions.ts';
import { budgetOf, type SearchContext } from '../rank.ts';
import { planRetrieval } from '../retrieval/plan-retrieval.ts';
import type { WordStatistics } from '../statistics/cached-words.ts';
import { readSpellingCandidates } from '../statistics/read-spelling-candidates.ts';
import { COUNTED_ROWS } from '../statistics/refresh-statistics.ts';
import { readIndexVersion } from './loading/index-version.ts';
import { viewOf } from './memory-index.ts';
import type { MemoryIndexLoader } from './memory-index-loader.ts';
import { estimateCost, MAX_COST } from './ranking/estimate-cost.ts';
import { type PhrasePatterns, weighingPhrasesOf } from './ranking/phrase-patterns.ts';
import { rankDocuments } from './ranking/rank-documents.ts';
import { searchedPartitions } from './searched-partitions.ts';

export interface MemoryRankingSources {
  readonly loader: MemoryIndexLoader;
  readonly words: WordStatistics;
  readonly phrases: PhrasePatterns;
}

/**
 * The database must rank if the query is unsupported, partitions are not loaded, the version is too
 * old, or the cost is too high.
 */
export type FallbackReason = 'unsupported' | 'older' | 'behind' | 'costly';

export async function rankInMemory(
  pool: Pool,
  { loader, words, phrases }: MemoryRankingSources,
  query: RankingQuery,
  context: SearchContext,
  late: AbortSignal,
): Promise<Ranking | FallbackReason> {
  const { plan, filters } = query;
  const partitions = searchedPartitions(filters, context);
  if (!loader.mayInclude(partitions.events)) return 'older';
  const [now, terms, patterns] = await Promise.all([
    readIndexVersion(pool),
    words.of(planWords(plan), context.statistics),
    phrases.of(weighingPhrasesOf(plan)),
  ]);
  if (!patterns) return 'unsupported';
  const misspellings = findMisspellings(plan, terms, COUNTED_ROWS);
  const asked = withSpellingCandidates(
    plan,
    terms,
    misspellings.length > 0 ? await readSpellingCandidates(pool, misspellings) : [],
  );
  const index = await loader.findAtLeast(now);
  if (!index || late.aborted) return 'behind';
  if (index.from > partitions.events) return 'older';
  const scoring = prepareScoring(asked.plan, filters, asked.statistics);
  const retrieval = planRetrieval(scoring, {
    filters,
    statistics: context.statistics,
    firstPartition: firstPartition(filters, context),
    budget: budgetOf(query, context),
  });
  const statement = { ...query, ...context, scoring, retrieval };
  const view = viewOf(index, partitions);
  if (estimateCost(view, statement, patterns) > MAX_COST) return 'costly';
  const { rows, isRetrievalCut } = rankDocuments(view, statement, patterns, now.now);
  const asksForDiscarded = now.keptFrom !== undefined && reachBefore(filters, now.keptFrom, context);
  return {
    hits: rows.map((row) => hitOf(row, query, scoring)),
    droppedTerms: retrieval.droppedTerms,
    truncated: asksForDiscarded || retrieval.droppedTerms.length > 0 || retrieval.oldestPartition !== undefined,
    retrievalCut: isRetrievalCut,
    countedObservations: context.statistics.observations.documents,
    ranksByWords: scoring.ranksByWords,
    position: index.version === now.version ? now.position : index.position,
  };
}
