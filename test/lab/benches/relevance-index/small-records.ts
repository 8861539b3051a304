import path from 'node:path';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { BLIND_JUDGMENTS, BLIND_QUERIES, readBlindJudgments, readBlindQueries } from './blind.ts';
import { type Corpus, readJudgments } from './corpus.ts';
import type { openBenchIndex } from './corpus-index.ts';
import type { Random } from './resampling.ts';
import type { FilteredQuery } from './score-query.ts';

interface JudgedByObservation {
  readonly query: FilteredQuery;
  readonly right: readonly bigint[];
  readonly wrong: readonly bigint[];
}

export interface Thinned {
  readonly right: number;
  readonly rightLeftOut: number;
  readonly wrong: number;
  readonly wrongLeftOut: number;
  /** True if the threshold removed every company of a ranking that had a right one. */
  readonly emptied: boolean;
}

type BenchIndex = Awaited<ReturnType<typeof openBenchIndex>>;

const ANSWERING = 0.3;
const TABLES = ['indexed', 'entry', 'company_doc', 'company_domain'];

export function readQueriesByObservation(directory: string): JudgedByObservation[] {
  const judgments = readBlindJudgments(BLIND_JUDGMENTS);
  const blind = readBlindQueries(BLIND_QUERIES).map((query) => {
    const judged = [...(judgments.get(query.query_id) ?? [])];
    const saying = (verdict: boolean) => judged.filter(([, given]) => given === verdict).map(([id]) => id);
    return { query, right: saying(true), wrong: saying(false) };
  });
  const labelled = readJudgments(path.join(directory, 'judgments.jsonl')).map((query) => ({
    query,
    right: query.relevant_observation_ids.map(BigInt),
    wrong: [],
  }));
  return [...blind, ...labelled].filter(({ right }) => right.length > 0);
}

export function drawRecord({ observations }: Corpus, size: number, random: Random): Set<bigint> {
  const drawn = new Set<bigint>();
  for (const [, own] of shuffled([...Map.groupBy(observations, ({ companyId }) => companyId)], random)) {
    if (drawn.size >= size) break;
    for (const { id } of own) drawn.add(id);
  }
  return drawn;
}

/** Draws a record about one query: relevant observations, others judged for it, and random ones. */
export function drawFocused(corpus: Corpus, judged: JudgedByObservation, size: number, random: Random): Set<bigint> {
  const right = shuffled(judged.right, random).slice(0, Math.max(1, Math.floor(size * ANSWERING)));
  const wrong = shuffled(judged.wrong, random).slice(0, Math.floor((size - right.length) / 2));
  const drawn = new Set([...right, ...wrong]);
  while (drawn.size < size) {
    const other = corpus.observations[Math.floor(random() * corpus.observations.length)];
    if (other) drawn.add(other.id);
  }
  return drawn;
}

export async function refill({ index, pool }: BenchIndex, corpus: Corpus, ids: ReadonlySet<bigint>): Promise<void> {
  for (const table of TABLES) await pool.query(`delete from ${table}`);
  await pool.query('update corpus set documents = 0');
  const observations = corpus.observations.filter(({ id }) => ids.has(id));
  const named = new Set(observations.map(({ companyId }) => companyId));
  const companies = corpus.companies.filter(({ id }) => named.has(id));
  const { live } = await index.feedState();
  const to = { tx: (live?.tx ?? 0n) + 1n, seq: 1n } as never;
  await index.apply({ observations, companies, range: { feed: 'live', from: live, to, complete: true } }, 1n);
  await index.refreshStatistics();
}

/** Counts the companies below `least` (in thousandths), judged by the observations they show. */
export function thin(companies: readonly RankedCompany[], { right }: JudgedByObservation, least: number): Thinned {
  const answers = new Set(right);
  const shown = companies.map(({ hits, relevance }) => ({
    isRight: hits.some(({ observationId }) => answers.has(observationId)),
    isLeftOut: relevance * 1000 < least,
  }));
  const count = (isRight: boolean, leftOut: boolean) =>
    shown.filter((one) => one.isRight === isRight && (!leftOut || one.isLeftOut)).length;
  return {
    right: count(true, false),
    rightLeftOut: count(true, true),
    wrong: count(false, false),
    wrongLeftOut: count(false, true),
    emptied: shown.some(({ isRight }) => isRight) && shown.every(({ isLeftOut }) => isLeftOut),
  };
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  return all
    .map((value) => ({ value, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
