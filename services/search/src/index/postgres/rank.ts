import { inTransaction, type Pool, type Queryable } from '@ces/chassis/postgres';
import type { Plan } from '@ces/proto/ces/search/v1/search_pb.ts';
import pg from 'pg';
import { idf } from '../../ranking/bm25.ts';
import { chooseMatchSet } from '../../ranking/match-budget.ts';
import { weighTerms } from '../../ranking/weigh-terms.ts';
import type { RankedHit, Ranking, RankingQuery } from '../observation-index.ts';
import { readFeed } from './feed.ts';
import { firstBucket } from './filters.ts';
import { type Lexicon, readLexicon } from './lexicon.ts';
import { CONTEXT_WEIGHT, NAMED_KIND_GAIN, rankSql } from './rank-sql.ts';
import { highestScore } from './score-sql.ts';

export interface RankSettings {
  /** Longest statement, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Matches scored at most without a time window. */
  readonly matchBudget: number;
  /** The same with one. */
  readonly windowMatchBudget: number;
}

interface RankContext extends RankSettings {
  readonly horizon: Date;
  readonly now: Date;
}

interface HitRow {
  readonly observation_id: bigint;
  readonly company_id: bigint;
  readonly own: number;
  readonly place: number;
  readonly factor: number;
  readonly context: number;
  readonly total: number;
  readonly matched: bigint;
}

/** Ranks; a statement that takes too long is tried once more with a third of the budget, and the answer says so. */
export async function rank(pool: Pool, query: RankingQuery, context: RankContext): Promise<Ranking> {
  const budget = query.filters.occurredAfter ? context.windowMatchBudget : context.matchBudget;
  try {
    return await rankWithin(pool, query, context, budget);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ...(await rankWithin(pool, query, context, Math.ceil(budget / 3))), truncated: true };
  }
}

async function rankWithin(pool: Pool, query: RankingQuery, context: RankContext, budget: number): Promise<Ranking> {
  return await inTransaction(pool, async (client) => {
    await client.query(
      `select set_config('statement_timeout', $1, true), set_config('max_parallel_workers_per_gather', '0', true),
              set_config('enable_seqscan', 'off', true)`,
      [String(statementTimeoutMs(query, context))],
    );
    const position = (await readFeed(client)).live;
    const lexicon = await readLexicon(
      client,
      planWords(query.plan),
      firstBucket(query.filters, context.horizon, context.now),
    );
    const ranking = await rankMatches(client, query, context, lexicon, budget);
    return { ...ranking, position };
  });
}

/** Half of what is left, so that a second try has its time too. */
function statementTimeoutMs(query: RankingQuery, context: RankContext): number {
  return Math.max(
    1,
    Math.min(context.statementTimeoutMs, Math.floor((query.timeoutMs ?? Number.POSITIVE_INFINITY) / 2)),
  );
}

async function rankMatches(
  client: Queryable,
  query: RankingQuery,
  context: RankContext,
  lexicon: Lexicon,
  budget: number,
): Promise<Omit<Ranking, 'position'>> {
  const { plan } = query;
  const own = weighTerms(plan.activity, lexicon.entry.documents, (word) => {
    const known = lexicon.words.get(word);
    return known && { lexeme: known.lexeme, documents: known.entries };
  });
  const description = weighTerms(plan.description, lexicon.company.documents, (word) => {
    const known = lexicon.words.get(word);
    return known && { lexeme: known.lexeme, documents: known.companies };
  });
  const matches = chooseMatchSet(own, lexicon.windowShare, budget);
  const placeWeight = Math.max(0, ...plan.places.map((place) => place.weight)) * idf(100, 5);
  const statement = rankSql({
    ...query,
    ...context,
    own,
    context: description,
    matchOwn: matches.terms,
    matchContext: chooseMatchSet(description, 1, budget).terms,
    meanLength: lexicon.entry.meanLength,
    meanCompanyLength: lexicon.company.meanLength,
    placeWeight,
    budget: budget + 1,
  });
  const { rows } = await client.query<HitRow>(statement.text, statement.values);
  const kindFactor = Math.max(1, ...plan.kinds.map((kind) => kind.factor));
  const highest =
    (highestScore(own) +
      placeWeight +
      (kindFactor > 1 ? NAMED_KIND_GAIN : 0) +
      highestScore(description) * CONTEXT_WEIGHT) *
    kindFactor;
  return {
    hits: rows.map((row) => hitOf(row, highest)),
    droppedTerms: matches.dropped.map((term) => term.text),
    truncated: matches.dropped.length > 0 || Number(rows[0]?.matched ?? 0n) > budget,
  };
}

function planWords(plan: Plan): string[] {
  return [...plan.activity, ...plan.description].flatMap((term) => [
    ...term.words,
    ...term.related.flatMap((related) => related.words),
  ]);
}

function hitOf(row: HitRow, highest: number): RankedHit {
  return {
    observationId: row.observation_id,
    companyId: row.company_id,
    ownText: row.own,
    companyContext: row.context,
    place: row.place,
    kindFactor: row.factor,
    score: highest > 0 ? Math.min(1, row.total / highest) : 0,
    matches: [],
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014';
}
