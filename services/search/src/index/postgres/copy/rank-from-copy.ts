import type { Pool } from '@ces/chassis/postgres/pool';
import { planWords } from '../../../ranking/asked.ts';
import { prepareScoring } from '../../../ranking/scoring.ts';
import { doubtedWords, withNearWords } from '../../../ranking/spelling.ts';
import type { Ranking, RankingQuery } from '../../observation-index.ts';
import { hitOf } from '../../scored-observation.ts';
import { firstPartition, reachBefore } from '../partitions/searched-partitions.ts';
import { budgetOf, type SearchContext } from '../rank.ts';
import { planRetrieval } from '../retrieval/plan-retrieval.ts';
import type { WordStatistics } from '../statistics/cached-words.ts';
import { readNearWords } from '../statistics/read-near-words.ts';
import { COUNTED_ROWS } from '../statistics/refresh-statistics.ts';
import { inPartitions } from './copied-index.ts';
import type { IndexCopy } from './index-copy.ts';
import { effortOf, MOST_EFFORT } from './ranking/effort.ts';
import { type PhrasePatterns, weighingPhrasesOf } from './ranking/phrase-patterns.ts';
import { rankCopy } from './ranking/rank-copy.ts';
import { readIndexVersion } from './reading/index-version.ts';
import { searchedPartitions } from './searched-partitions.ts';

export interface Kept {
  readonly copy: IndexCopy;
  readonly words: WordStatistics;
  readonly phrases: PhrasePatterns;
}

/**
 * The database must rank if the query is unsupported, partitions are not loaded, the version is too
 * old, or the effort is too high.
 */
export type NotFromCopy = 'unsupported' | 'older' | 'behind' | 'costly';

export async function rankFromCopy(
  pool: Pool,
  { copy, words, phrases }: Kept,
  query: RankingQuery,
  context: SearchContext,
  late: AbortSignal,
): Promise<Ranking | NotFromCopy> {
  if (asksForMore(query)) return 'unsupported';
  const { plan, filters } = query;
  const partitions = searchedPartitions(filters, context);
  if (!copy.mayReachBack(partitions.events)) return 'older';
  const [now, terms, patterns] = await Promise.all([
    readIndexVersion(pool),
    words.of(planWords(plan), context.statistics),
    phrases.of(weighingPhrasesOf(plan)),
  ]);
  if (!patterns) return 'unsupported';
  const doubted = doubtedWords(plan, terms, COUNTED_ROWS);
  const asked = withNearWords(plan, terms, doubted.length > 0 ? await readNearWords(pool, doubted) : []);
  const copied = await copy.reach(now);
  if (!copied || late.aborted) return 'behind';
  if (copied.from > partitions.events) return 'older';
  const scoring = prepareScoring(asked.plan, filters, asked.statistics);
  const retrieval = planRetrieval(scoring, {
    filters,
    statistics: context.statistics,
    firstPartition: firstPartition(filters, context),
    budget: budgetOf(query, context),
  });
  const statement = { ...query, ...context, scoring, retrieval };
  const searched = inPartitions(copied, partitions);
  if (effortOf(searched, statement, patterns) > MOST_EFFORT) return 'costly';
  const { rows, isRetrievalCut } = rankCopy(searched, statement, patterns, now.now);
  const asksForDiscarded = now.keptFrom !== undefined && reachBefore(filters, now.keptFrom, context);
  return {
    hits: rows.map((row) => hitOf(row, query, scoring)),
    droppedTerms: retrieval.droppedTerms,
    truncated: asksForDiscarded || retrieval.droppedTerms.length > 0 || retrieval.oldestPartition !== undefined,
    retrievalCut: isRetrievalCut,
    countedObservations: context.statistics.observations.documents,
    ranksByWords: scoring.ranksByWords,
    position: copied.version === now.version ? now.position : copied.position,
  };
}

/** The memory index has neither original texts nor domains, and it cannot separate gains. */
function asksForMore({ plan, filters, explain }: RankingQuery): boolean {
  const isLiteral = plan.phrases.length + plan.excluded.length > 0;
  return explain || isLiteral || filters.domains.length + filters.excludeDomains.length > 0;
}
