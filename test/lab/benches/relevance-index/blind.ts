import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { ndcg } from './measures.ts';
import type { FilteredQuery } from './score-query.ts';

/** A query that was written before anything was ranked for it, by someone who does not know the ranking. */
export interface BlindQuery extends FilteredQuery {
  readonly query_id: string;
  readonly kind: string;
  /** What an observation must say to be relevant, for who judges. */
  readonly need: string;
  /** What makes it hard; empty for a plain one. */
  readonly hard: readonly string[];
  /** Present where its answers were looked at while words and rules were made. */
  readonly looked_at?: true;
}

/** One reading of shown observations, by their ids in the files; a later pass of an observation counts instead of an earlier one. */
interface Reading {
  readonly query_id: string;
  readonly pass: number;
  readonly relevant: readonly number[];
  readonly irrelevant: readonly number[];
}

/** Relevant or not, by id of the observation. */
export type Judged = ReadonlyMap<bigint, boolean>;

export const BLIND_QUERIES = path.join(import.meta.dirname, 'blind.jsonl');
export const BLIND_JUDGMENTS = path.join(import.meta.dirname, 'blind-judgments.jsonl');

/** A set of queries that were written and judged together. */
interface BlindSet {
  readonly name: 'blind' | 'second' | 'third' | 'training';
  readonly queries: string;
  readonly judgments: string;
}

/** The sets that words and weights are chosen by. The second was written when the ranking had been built with the first in sight. */
export const BLIND_SETS: readonly BlindSet[] = [
  { name: 'blind', queries: BLIND_QUERIES, judgments: BLIND_JUDGMENTS },
  {
    name: 'second',
    queries: path.join(import.meta.dirname, 'blind-second.jsonl'),
    judgments: path.join(import.meta.dirname, 'blind-second-judgments.jsonl'),
  },
];

/** Nothing is chosen or fitted by this one: it was written by somebody who never saw a ranking, and only tests. */
export const TEST_SET: BlindSet = {
  name: 'third',
  queries: path.join(import.meta.dirname, 'blind-third.jsonl'),
  judgments: path.join(import.meta.dirname, 'blind-third-judgments.jsonl'),
};

/**
 * 1,920 queries to train and fit by. Each was written for an observation that answers it, by people who saw no ranking; words and
 * vectors found what was judged. It measures nothing: its writers had an answer in sight.
 */
export const TRAINING_SET: BlindSet = {
  name: 'training',
  queries: path.join(import.meta.dirname, 'training.jsonl'),
  judgments: path.join(import.meta.dirname, 'training-judgments.jsonl'),
};

export function readBlindQueries(file: string): BlindQuery[] {
  return linesOf(file).map((line) => JSON.parse(line) as BlindQuery);
}

/** What was judged of every query; a file that is not there yet holds nothing. */
export function readBlindJudgments(file: string): Map<string, Map<bigint, boolean>> {
  const byQuery = new Map<string, Map<bigint, boolean>>();
  for (const reading of readingsOf(file)) {
    const judged = byQuery.get(reading.query_id) ?? new Map<bigint, boolean>();
    for (const id of reading.relevant) judged.set(BigInt(id), true);
    for (const id of reading.irrelevant) judged.set(BigInt(id), false);
    byQuery.set(reading.query_id, judged);
  }
  return byQuery;
}

/** How often two readings of the same observation say the same, and Cohen's kappa. */
export function agreementOf(file: string): { readonly pairs: number; readonly same: number; readonly kappa: number } {
  const [first, second] = [1, 2].map((pass) => verdictsOf(readingsOf(file).filter((one) => one.pass === pass)));
  const pairs = [...(first ?? [])].flatMap(([key, verdict]) => {
    const again = second?.get(key);
    return again === undefined ? [] : [[verdict, again] as const];
  });
  const share = (of: (pair: readonly [boolean, boolean]) => boolean) => pairs.filter(of).length / pairs.length;
  const [same, yes, yesAgain] = [share(([a, b]) => a === b), share(([a]) => a), share(([, b]) => b)];
  const chance = yes * yesAgain + (1 - yes) * (1 - yesAgain);
  return { pairs: pairs.length, same, kappa: (same - chance) / (1 - chance) };
}

/** What one ranking scores for one query; companies are right by what they show. */
export interface BlindScore {
  readonly query: BlindQuery;
  /** nDCG@10 of companies that show a relevant observation. */
  readonly byEvidence: number;
  /** nDCG@10 of companies of which any observation is known to be relevant, shown or not. */
  readonly byCompany: number;
  readonly precision: number;
  /** Companies of the first ten that show only what nobody judged. */
  readonly unjudged: number;
  /** Companies known to answer. */
  readonly answers: number;
}

const DEPTH = 10;

export function scoreBlind(
  query: BlindQuery,
  companies: readonly RankedCompany[],
  judged: Judged,
  companyOf: (observation: bigint) => bigint | undefined,
): BlindScore {
  const right = new Set([...judged].filter(([, verdict]) => verdict).map(([id]) => companyOf(id)));
  const first = companies.slice(0, DEPTH);
  const shows = first.map(({ hits }) => hits.some(({ observationId }) => judged.get(observationId) === true));
  const unjudged = first.filter(({ hits }) => hits.every(({ observationId }) => !judged.has(observationId)));
  return {
    query,
    byEvidence: ndcg(shows, right.size, DEPTH),
    byCompany: ndcg(
      first.map(({ companyId }) => right.has(companyId)),
      right.size,
      DEPTH,
    ),
    precision: first.length === 0 ? 0 : shows.filter(Boolean).length / first.length,
    unjudged: unjudged.length,
    answers: right.size,
  };
}

function verdictsOf(readings: readonly Reading[]): Map<string, boolean> {
  return new Map(
    readings.flatMap(({ query_id, relevant, irrelevant }) => [
      ...relevant.map((id) => [`${query_id} ${id}`, true] as const),
      ...irrelevant.map((id) => [`${query_id} ${id}`, false] as const),
    ]),
  );
}

/** Earlier passes first. */
function readingsOf(file: string): Reading[] {
  if (!existsSync(file)) return [];
  return linesOf(file)
    .map((line) => JSON.parse(line) as Reading)
    .toSorted((a, b) => a.pass - b.pass);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
