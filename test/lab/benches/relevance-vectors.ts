import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createLogger } from '@ces/chassis/telemetry/log';
import { table } from '@ces/cli/output/table';
import { startEncoder } from '@ces/search/embedding/encoder/encoder';
import { quantise } from '@ces/search/embedding/observation-vector';
import { cosine } from '@ces/search/ranking/fuse';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import type { QueryMeaning } from '@ces/search/ranking/ranking';
import { FOUND_FROM } from '@ces/search/ranking/weights';
import {
  BLIND_SETS,
  type BlindQuery,
  isApart,
  readBlindJudgments,
  readBlindQueries,
  scoreBlind,
  TEST_SET,
  TRAINING_SET,
} from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { corpusVectors, keepVectors } from './relevance-index/corpus-vectors.ts';
import { readHeldOut, scoreHeldOut } from './relevance-index/held-out.ts';
import { mean } from './relevance-index/measures.ts';
import { writePool } from './relevance-index/pool.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { type FilteredQuery, filtersOf, judge, rankQuery } from './relevance-index/score-query.ts';

// Measures the effect of vectors on every set of judged queries: npm run lab -- relevance-vectors
// CORPUS [--vectors FILE] [--pool FOLDER]
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    vectors: { type: 'string' },
    pool: { type: 'string' },
    /** Selects one set. `apart`: the queries of training sets that the encoder did not see. */
    set: { type: 'string' },
    json: { type: 'string' },
    weights: { type: 'string', default: '10,20,30' },
    seed: { type: 'string', default: '1' },
  },
});
const IS_APART = options.set === 'apart';
const SETS = IS_APART ? [...BLIND_SETS, TRAINING_SET] : [...BLIND_SETS, TEST_SET];
const POOLED = 12;
const TIMEOUT_MS = 60_000;

const logger = createLogger('bench', 'warn');
await using encoder = startEncoder({ logger, priority: 'foreground' });
await using subject = await openCorpusIndex({ directory: positionals[0], ...options, model: encoder.model });
const { observations, byId } = subject.corpus;
const vectors = await corpusVectors(observations, encoder, options.vectors);
await keepVectors(subject, encoder.model, vectors);

/**
 * A query with a function that scores a ranking. The function returns undefined if no answer is
 * known.
 */
interface Judging {
  readonly set: string;
  readonly query: FilteredQuery;
  readonly id: string;
  readonly hard: readonly string[];
  readonly score: (
    companies: readonly RankedCompany[],
  ) => { readonly value: number; readonly unjudged: number } | undefined;
}

const judgings = (IS_APART ? blindJudgings() : [...blindJudgings(), ...judgedByFields(), ...heldOutJudgings()]).filter(
  ({ set }) => options.set === undefined || IS_APART || set === options.set,
);
const weights = options.weights.split(',').map(Number);
const ranked = new Map<Judging, Map<number, readonly RankedCompany[]>>();
for (const judging of judgings) ranked.set(judging, await ordersOf(judging.query));
report();
if (options.pool !== undefined) await pool(options.pool);
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(figures(), null, 1));

/** The companies of a query by the weight of vectors. With weight 0 only words count. */
async function ordersOf(query: FilteredQuery): Promise<Map<number, readonly RankedCompany[]>> {
  const orderBy = async (meaning?: QueryMeaning) => (await rankQuery(query, subject, meaning)).companies;
  const orders = new Map([[0, await orderBy()]]);
  const [embedded = new Float32Array()] = await encoder.embed([query.query], 'query', AbortSignal.timeout(TIMEOUT_MS));
  const { model } = encoder;
  for (const weight of weights)
    orders.set(weight, await orderBy({ model, vector: quantise(embedded), weight, findsFrom: FOUND_FROM }));
  return orders;
}

function blindJudgings(): Judging[] {
  return SETS.flatMap(({ name, queries, judgments }) => {
    const judged = readBlindJudgments(judgments);
    const own = readBlindQueries(queries).filter((query) => !IS_APART || isApart(query));
    return own.map((query) => ({
      set: IS_APART ? 'apart' : name,
      query,
      id: query.query_id,
      hard: query.hard,
      score: (companies: readonly RankedCompany[]) => {
        const own = judged.get(query.query_id) ?? new Map<bigint, boolean>();
        const { byEvidence, answers, unjudged } = scoreBlind(query, companies, own, (id) => byId.get(id)?.companyId);
        return answers > 0 ? { value: byEvidence, unjudged } : undefined;
      },
    }));
  });
}

function judgedByFields(): Judging[] {
  return subject.judged.map((query) => ({
    set: 'by fields',
    query,
    id: query.query_id,
    hard: [],
    score: (companies) => ({ value: judge({ query, companies, ms: 0 }, subject).evidence, unjudged: 0 }),
  }));
}

function heldOutJudgings(): Judging[] {
  return readHeldOut().map((query) => ({
    set: `held out ${query.set}`,
    query,
    id: query.query_id,
    hard: [],
    score: (companies) => {
      if (query.relevant.length === 0) return undefined;
      const { ndcg, unjudged } = scoreHeldOut(query, companies, (id) => byId.get(id)?.kind);
      return { value: ndcg, unjudged };
    },
  }));
}

function report(): void {
  const rows: string[][] = [];
  for (const [set, own] of Map.groupBy(judgings, (one) => one.set)) rows.push(...rowsOf(set, own));
  for (const [label, own] of Map.groupBy(
    judgings.flatMap((one) => one.hard.map((label) => ({ ...one, of: one, label: `${one.set}: ${label}` }))),
    ({ label }) => label,
  ))
    rows.push(
      ...rowsOf(
        label,
        own.map(({ of }) => of),
      ),
    );
  console.log(table(['queries', 'answered', 'weight of vectors', 'nDCG@10', 'gain', 'unjudged'], rows));
}

function rowsOf(name: string, own: readonly Judging[]): string[][] {
  const answered = own.filter((one) => one.score([]) !== undefined);
  if (answered.length === 0) return [];
  const valuesOf = (weight: number) => answered.map((one) => one.score(ranked.get(one)?.get(weight) ?? []));
  const words = valuesOf(0);
  return [0, ...weights].map((weight) => {
    const scores = valuesOf(weight);
    const gains = scores.map((score, at) => (score?.value ?? 0) - (words[at]?.value ?? 0));
    const [low, high] = bootstrap(gains, seeded(Number(options.seed)));
    const unjudged = scores.reduce((sum, score) => sum + (score?.unjudged ?? 0), 0);
    return [
      name,
      String(answered.length),
      String(weight),
      mean(scores.map((score) => score?.value ?? 0)).toFixed(3),
      weight === 0 ? '' : `${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
      String(unjudged),
    ];
  });
}

function figures() {
  return judgings.map((one) => ({
    set: one.set,
    id: one.id,
    query: one.query.query,
    values: Object.fromEntries(
      [0, ...weights].map((weight) => [weight, one.score(ranked.get(one)?.get(weight) ?? [])?.value]),
    ),
  }));
}

/**
 * Writes the unjudged observations in the first companies of each ranking: words, words and
 * vectors, vectors only.
 */
async function pool(folder: string): Promise<void> {
  const unjudged = new Map<BlindQuery, Set<bigint>>();
  for (const { name, queries, judgments } of SETS) {
    if (options.set !== undefined && name !== options.set) continue;
    const judged = readBlindJudgments(judgments);
    for (const query of readBlindQueries(queries)) {
      const orders = ranked.get(judgings.find(({ id }) => id === query.query_id) as Judging) ?? new Map();
      const shown = [...orders.values()].flatMap((companies: readonly RankedCompany[]) =>
        companies.slice(0, POOLED).flatMap(({ hits }) => hits.map(({ observationId }) => observationId)),
      );
      const known = judged.get(query.query_id);
      const open = [...shown, ...(await likest(query))].filter((id) => known?.has(id) !== true);
      unjudged.set(query, new Set(open));
    }
  }
  await writePool(folder, unjudged, subject.corpus);
}

/** The observations most similar to a query that pass its filters, at most one a company. */
async function likest(query: FilteredQuery): Promise<bigint[]> {
  const { kinds, countries } = filtersOf(query);
  const [embedded = new Float32Array()] = await encoder.embed([query.query], 'query', AbortSignal.timeout(TIMEOUT_MS));
  const asked = quantise(embedded);
  const companies = new Map<bigint, { id: bigint; similarity: number }>();
  for (const { id, companyId, kind, country } of observations) {
    if (!kinds.includes(kind) || (countries.length > 0 && !countries.includes(country))) continue;
    const similarity = cosine(asked, vectors.get(id) ?? []);
    if (similarity > (companies.get(companyId)?.similarity ?? -1)) companies.set(companyId, { id, similarity });
  }
  return [...companies.values()]
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, POOLED)
    .map(({ id }) => id);
}
