import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { ndcg } from './measures.ts';
import type { FilteredQuery } from './score-query.ts';

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

export const BLIND_QUERIES = path.join(import.meta.dirname, 'blind.jsonl');
export const BLIND_JUDGMENTS = path.join(import.meta.dirname, 'blind-judgments.jsonl');

interface BlindSet {
  readonly name: 'blind' | 'second' | 'third' | 'calibration' | 'training';
  readonly queries: string;
  readonly judgments: string;
}

/**
 * Sets for choosing words and weights. The second was written after the ranking had been tuned with
 * the first.
 */
export const BLIND_SETS: readonly BlindSet[] = [
  { name: 'blind', queries: BLIND_QUERIES, judgments: BLIND_JUDGMENTS },
  {
    name: 'second',
    queries: path.join(import.meta.dirname, 'blind-second.jsonl'),
    judgments: path.join(import.meta.dirname, 'blind-second-judgments.jsonl'),
  },
];

/**
 * Only for fitting probabilities. Its author never saw a ranking, and no model is trained on it.
 */
export const CALIBRATION_SET: BlindSet = {
  name: 'calibration',
  queries: path.join(import.meta.dirname, 'calibration.jsonl'),
  judgments: path.join(import.meta.dirname, 'calibration-judgments.jsonl'),
};

/** Only for testing. Its author never saw a ranking, and no constant is fitted with it. */
export const TEST_SET: BlindSet = {
  name: 'third',
  queries: path.join(import.meta.dirname, 'blind-third.jsonl'),
  judgments: path.join(import.meta.dirname, 'blind-third-judgments.jsonl'),
};

/**
 * 2,809 queries for training. People who saw no ranking wrote each for an observation that answers
 * it. Words and vectors found the judged results. It measures nothing, because its authors had an
 * answer in view.
 */
export const TRAINING_SET: BlindSet = {
  name: 'training',
  queries: path.join(import.meta.dirname, 'training.jsonl'),
  judgments: path.join(import.meta.dirname, 'training-judgments.jsonl'),
};

/**
 * One query in eight has no part in training the encoder, as `is_measured` of `model/train.py`
 * says. Similarities of the others are higher than a user's, so weights are fitted without them.
 */
export function isApart({ query }: Pick<BlindQuery, 'query'>): boolean {
  return Number.parseInt(createHash('md5').update(query).digest('hex').slice(-1), 16) % 8 === 0;
}

export function readBlindQueries(file: string): BlindQuery[] {
  return linesOf(file).map((line) => JSON.parse(line) as BlindQuery);
}

/** Judgments by query. Empty if the file does not exist yet. */
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

/** Agreement of two judgments of the same observation, and Cohen's kappa. */
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

/** Scores of one ranking for one query. A company is right if it shows a relevant observation. */
export interface BlindScore {
  readonly query: BlindQuery;
  /** nDCG@10 of companies that show a relevant observation. */
  readonly byEvidence: number;
  /** nDCG@10 of companies with any relevant observation, shown or not. */
  readonly byCompany: number;
  readonly precision: number;
  /** Companies in the first ten that show only unjudged observations. */
  readonly unjudged: number;
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

function readingsOf(file: string): Reading[] {
  if (!existsSync(file)) return [];
  return linesOf(file)
    .map((line) => JSON.parse(line) as Reading)
    .toSorted((a, b) => a.pass - b.pass);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
