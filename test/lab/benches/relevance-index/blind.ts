import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { type FilteredQuery, readLines } from './corpus.ts';
import { ndcg } from './measures.ts';

/** A query written before any ranking ran, by an author who does not know the ranking. */
export interface BlindQuery extends FilteredQuery {
  readonly query_id: string;
  readonly kind: string;
  /** What an observation must say to be relevant. Judges read it. */
  readonly need: string;
  /** What makes the query hard. Empty for a plain one. */
  readonly hard: readonly string[];
  /** Set if words and rules were developed with its answers in view. */
  readonly looked_at?: true;
}

/**
 * One judgment of shown observations, by their ids in the files. A later pass replaces an earlier
 * one.
 */
interface Reading {
  readonly query_id: string;
  readonly pass: number;
  readonly relevant: readonly number[];
  readonly irrelevant: readonly number[];
}

export type Judged = ReadonlyMap<bigint, boolean>;

export interface BlindSet {
  readonly name: string;
  readonly queries: string;
  readonly judgments: string;
}

/**
 * Sets for choosing words and weights. The second was written after the ranking had been tuned with
 * the first.
 */
export const BLIND_SETS: readonly BlindSet[] = [setOf('blind', 'blind'), setOf('second', 'blind-second')];

/**
 * Only for fitting probabilities. Its author never saw a ranking, and no model is trained on it.
 */
export const CALIBRATION_SET = setOf('calibration', 'calibration');

/** Only for testing. Its author never saw a ranking, and no constant is fitted with it. */
export const TEST_SET = setOf('third', 'blind-third');

/**
 * 1,920 queries for training. People who saw no ranking wrote each for an observation that answers
 * it. Words and vectors found the judged results. It measures nothing, because its authors had an
 * answer in view.
 */
export const TRAINING_SET = setOf('training', 'training');

function setOf(name: string, files: string): BlindSet {
  const file = (suffix: string) => path.join(import.meta.dirname, `${files}${suffix}.jsonl`);
  return { name, queries: file(''), judgments: file('-judgments') };
}

/** The queries of a set with their judgments. A set without a file of judgments has none. */
export function readBlindSet({ queries, judgments }: BlindSet): [BlindQuery, Judged][] {
  const byQuery = Map.groupBy(readingsOf(judgments), ({ query_id }) => query_id);
  return readLines<BlindQuery>(queries).map((query) => {
    const verdicts = (byQuery.get(query.query_id) ?? []).flatMap(({ relevant, irrelevant }) => [
      ...relevant.map((id) => [BigInt(id), true] as const),
      ...irrelevant.map((id) => [BigInt(id), false] as const),
    ]);
    return [query, new Map(verdicts)];
  });
}

/** nDCG@10 of companies that show a relevant observation. */
export interface BlindScore {
  readonly value: number;
  /** Companies in the first ten that show only unjudged observations. */
  readonly unjudged: number;
}

const DEPTH = 10;

/** Undefined if no answer is known. */
export function scoreBlind(
  companies: readonly RankedCompany[],
  judged: Judged,
  companyOf: (observation: bigint) => bigint | undefined,
): BlindScore | undefined {
  const right = new Set([...judged].filter(([, verdict]) => verdict).map(([id]) => companyOf(id)));
  if (right.size === 0) return undefined;
  const first = companies.slice(0, DEPTH);
  const shows = first.map(({ hits }) => hits.some(({ observationId }) => judged.get(observationId) === true));
  const unjudged = first.filter(({ hits }) => hits.every(({ observationId }) => !judged.has(observationId)));
  return { value: ndcg(shows, right.size, DEPTH), unjudged: unjudged.length };
}

function readingsOf(file: string): Reading[] {
  return existsSync(file) ? readLines<Reading>(file).toSorted((a, b) => a.pass - b.pass) : [];
}
