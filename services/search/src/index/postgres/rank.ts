import { inTransactionAfter, type Pool, type Queryable } from '@ces/chassis/postgres/pool';
import pg from 'pg';
import { planWords } from '../../ranking/plan-traits.ts';
import { prepareScoring } from '../../ranking/scoring.ts';
import { findMisspellings, withSpellingCandidates } from '../../ranking/spelling.ts';
import { readFeed } from '../feed/feed.ts';
import type { Ranking, RankingQuery } from '../observation-index.ts';
import { hitOf, type ScoredRow } from '../scored-observation.ts';
import type { Partitioning } from './partitions/partitions.ts';
import { readKeptFrom } from './partitions/retention.ts';
import { firstPartition, reachBefore } from './partitions/searched-partitions.ts';
import { planRetrieval } from './retrieval/plan-retrieval.ts';
import { rankSql } from './statement/rank-sql.ts';
import { limitStatements } from './statement-limits.ts';
import { readSpellingCandidates } from './statistics/read-spelling-candidates.ts';
import { type IndexStatistics, readTermStatistics } from './statistics/read-statistics.ts';
import { COUNTED_ROWS } from './statistics/refresh-statistics.ts';

export interface SearchSettings {
  readonly statementTimeoutMs: number;
  /** It applies to searches without a time window. */
  readonly matchBudget: number;
  readonly windowMatchBudget: number;
}

export interface SearchContext extends SearchSettings, Partitioning {
  readonly statistics: IndexStatistics;
}

interface HitRow {
  readonly observation_id: bigint;
  readonly company_id: bigint;
  readonly own: number;
  readonly own_gains: readonly number[] | null;
  readonly context: number;
  readonly context_gains: readonly number[] | null;
  readonly context_share: number;
  readonly is_there: boolean;
  readonly place: number;
  readonly kind_factor: number;
  readonly time_factor: number;
  readonly avoided_factor: number;
  readonly fact_factor: number;
  readonly total: number;
  readonly matched: bigint;
  readonly retrieval_cut: boolean;
}

/** Retries a statement that times out once with a third of the budget, and reports `truncated`. */
export async function rank(pool: Pool, query: RankingQuery, context: SearchContext): Promise<Ranking> {
  const budget = budgetOf(query, context);
  try {
    return await rankWithin(pool, query, context, budget);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ...(await rankWithin(pool, query, context, Math.ceil(budget / 3))), truncated: true };
  }
}

export function budgetOf({ filters }: RankingQuery, { windowMatchBudget, matchBudget }: SearchSettings): number {
  return filters.occurredAfter ? windowMatchBudget : matchBudget;
}

async function rankWithin(pool: Pool, query: RankingQuery, context: SearchContext, budget: number): Promise<Ranking> {
  const { plan, filters } = query;
  /* The reads are pipelined with `begin`: a search waits for two round trips instead of eight. */
  const read = (client: Queryable) =>
    Promise.all([
      limitStatements(client, context.statementTimeoutMs, query.timeoutMs),
      readFeed(client, 'feed'),
      readTermStatistics(client, planWords(plan), context.statistics),
      readKeptFrom(client),
    ]);
  return await inTransactionAfter(pool, read, async (client, [, { live: position }, terms, keptFrom]) => {
    const misspellings = findMisspellings(plan, terms, COUNTED_ROWS);
    const candidates = misspellings.length > 0 ? await readSpellingCandidates(client, misspellings) : [];
    const asked = withSpellingCandidates(plan, terms, candidates);
    const scoring = prepareScoring(asked.plan, filters, asked.statistics);
    const bounds = {
      filters,
      statistics: context.statistics,
      firstPartition: firstPartition(filters, context),
      budget,
    };
    const retrieval = planRetrieval(scoring, bounds);
    const { text, values } = rankSql({ ...query, ...context, scoring, retrieval });
    const { rows } = await client.query<HitRow>(text, values);
    const asksForDiscarded = keptFrom !== undefined && reachBefore(filters, keptFrom, context);
    return {
      hits: rows.map((row) => hitOf(scoredRowOf(row), query, scoring)),
      droppedTerms: retrieval.droppedTerms,
      truncated:
        asksForDiscarded ||
        retrieval.droppedTerms.length > 0 ||
        retrieval.oldestPartition !== undefined ||
        Number(rows[0]?.matched ?? 0n) > retrieval.mostMatches,
      retrievalCut: rows[0]?.retrieval_cut ?? false,
      countedObservations: context.statistics.observations.documents,
      ranksByWords: scoring.ranksByWords,
      position,
    };
  });
}

function scoredRowOf(row: HitRow): ScoredRow {
  return {
    observationId: row.observation_id,
    companyId: row.company_id,
    own: row.own,
    ownGains: row.own_gains,
    context: row.context,
    contextGains: row.context_gains,
    contextShare: row.context_share,
    isThere: row.is_there,
    place: row.place,
    kindFactor: row.kind_factor,
    timeFactor: row.time_factor,
    avoidedFactor: row.avoided_factor,
    factFactor: row.fact_factor,
    total: row.total,
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}
