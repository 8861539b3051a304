import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '@ces/cli/output/table';
import { cosine } from '@ces/search/ranking/fuse';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { mulberry32 } from '../../support/random.ts';
import {
  BLIND_SETS,
  type BlindQuery,
  type BlindScore,
  readBlindSet,
  scoreBlind,
  TEST_SET,
  TRAINING_SET,
} from './relevance-index/blind.ts';
import type { FilteredQuery } from './relevance-index/corpus.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { readHeldOut, scoreHeldOut } from './relevance-index/held-out.ts';
import { bootstrap, mean } from './relevance-index/measures.ts';
import { writePool } from './relevance-index/pool.ts';
import { filtersOf, rankQuery, scoreByFields } from './relevance-index/score-query.ts';

// Measures words, and words with vectors, on every set of judged queries: npm run lab --
// relevance-vectors CORPUS [--vectors FILE] [--pool FOLDER]. To measure a change, run with --json
// FILE before it and with --against FILE after it.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    vectors: { type: 'string' },
    pool: { type: 'string' },
    /** Selects one set. `training` runs only if it is selected here. */
    set: { type: 'string' },
    json: { type: 'string' },
    against: { type: 'string' },
    weights: { type: 'string', default: '10,20,30' },
    seed: { type: 'string', default: '1' },
  },
});
const POOLED = 12;
/** Words, before any weight of vectors. */
const weights = [0, ...options.weights.split(',').map(Number)];

/** A query with a function that scores a ranking. It returns undefined if no answer is known. */
interface Judging {
  readonly set: string;
  readonly query: FilteredQuery & { readonly query_id: string };
  readonly hard: readonly string[];
  readonly score: (companies: readonly RankedCompany[]) => BlindScore | undefined;
  /** A query with its judgments, if further results of it may be judged. */
  readonly open?: readonly [BlindQuery, ReadonlyMap<bigint, boolean>];
}
type Orders = ReadonlyMap<number, readonly RankedCompany[]>;
type Ranked = ReadonlyMap<Judging, Orders>;
type Values = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;

await using subject = await openCorpusIndex(positionals[0], options);
const { observations, byId } = subject.corpus;
const ranked = new Map<Judging, Orders>();
for (const judging of judgings()) ranked.set(judging, await ordersOf(judging.query));
console.log(table(['queries', 'answered', 'weight of vectors', 'nDCG@10', 'gain', 'unjudged'], rows(ranked)));
if (options.against !== undefined) compare(JSON.parse(readFileSync(options.against, 'utf8')));
if (options.pool !== undefined) await pool(options.pool);
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(valuesOf(ranked), null, 1));

function judgings(): Judging[] {
  const blind = (options.set === 'training' ? [TRAINING_SET] : [...BLIND_SETS, TEST_SET]).flatMap((set) =>
    readBlindSet(set).map(([query, judged]) => ({
      ...{ set: set.name, query, hard: query.hard, open: [query, judged] as const },
      score: (companies: readonly RankedCompany[]) => scoreBlind(companies, judged, (id) => byId.get(id)?.companyId),
    })),
  );
  const byFields = subject.judged.map((query) => ({
    ...{ set: 'by fields', query, hard: [] },
    score: (companies: readonly RankedCompany[]) => ({ value: scoreByFields(query, companies, byId), unjudged: 0 }),
  }));
  const heldOut = readHeldOut().map((query) => ({
    ...{ set: `held out ${query.set}`, query, hard: [] },
    score: (companies: readonly RankedCompany[]) => scoreHeldOut(query, companies),
  }));
  return [...blind, ...byFields, ...heldOut].filter(({ set }) => options.set === undefined || set === options.set);
}

/** The companies of a query by the weight of vectors. With weight 0 only words count. */
async function ordersOf(query: FilteredQuery): Promise<Orders> {
  const orders = new Map<number, readonly RankedCompany[]>();
  for (const weight of weights) {
    const meaning = weight === 0 ? undefined : await subject.meaningOf(query.query, weight);
    orders.set(weight, await rankQuery(query, subject, meaning));
  }
  return orders;
}

function rows(all: Ranked): string[][] {
  const judged = [...all.keys()];
  const labels = judged.flatMap((one) => one.hard.map((label) => ({ label: `${one.set}: ${label}`, one })));
  return [
    ...[...Map.groupBy(judged, ({ set }) => set)].flatMap(([set, own]) => rowsOf(set, own)),
    ...[...Map.groupBy(labels, ({ label }) => label)].flatMap(([label, own]) =>
      rowsOf(
        label,
        own.map(({ one }) => one),
      ),
    ),
  ];
}

function rowsOf(name: string, own: readonly Judging[]): string[][] {
  const answered = own.filter((one) => one.score([]) !== undefined);
  if (answered.length === 0) return [];
  const scoresOf = (weight: number) => answered.map((one) => one.score(ranked.get(one)?.get(weight) ?? []));
  const words = scoresOf(0);
  return weights.map((weight) => {
    const scores = scoresOf(weight);
    const gains = scores.map((score, at) => (score?.value ?? 0) - (words[at]?.value ?? 0));
    return [
      ...[name, String(answered.length), String(weight), mean(scores.map((score) => score?.value ?? 0)).toFixed(3)],
      weight === 0 ? '' : interval(gains),
      String(scores.reduce((sum, score) => sum + (score?.unjudged ?? 0), 0)),
    ];
  });
}

function interval(gains: readonly number[]): string {
  const [low, high] = bootstrap(gains, mulberry32(Number(options.seed)));
  return `${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** nDCG@10 by query and weight. */
function valuesOf(all: Ranked): Values {
  return Object.fromEntries(
    [...all].map(([{ query, score }, orders]) => [
      query.query_id,
      Object.fromEntries([...orders].map(([weight, companies]) => [weight, score(companies)?.value])),
    ]),
  );
}

function compare(before: Values): void {
  const after = valuesOf(ranked);
  for (const weight of weights) {
    const gains = Object.entries(after).flatMap(([id, { [weight]: value }]) =>
      value === undefined ? [] : [value - (before[id]?.[weight] ?? value)],
    );
    const counted = `${gains.filter((gain) => gain > 1e-6).length} better, ${gains.filter((gain) => gain < -1e-6).length} worse`;
    console.log(`weight ${weight}: ${interval(gains)} against the run before, ${counted}`);
  }
}

/**
 * Writes the unjudged observations in the first companies of each ranking: words, words and
 * vectors, vectors only.
 */
async function pool(folder: string): Promise<void> {
  const unjudged = new Map<BlindQuery, Set<bigint>>();
  for (const [{ open }, orders] of ranked) {
    if (!open) continue;
    const [query, judged] = open;
    const shown = [...orders.values()].flatMap((companies) =>
      companies.slice(0, POOLED).flatMap(({ hits }) => hits.map(({ observationId }) => observationId)),
    );
    unjudged.set(query, new Set([...shown, ...(await likest(query))].filter((id) => !judged.has(id))));
  }
  await writePool(folder, unjudged, subject.corpus);
}

/** The observations most similar to a query that pass its filters, at most one a company. */
async function likest(query: FilteredQuery): Promise<bigint[]> {
  const { kinds, countries } = filtersOf(query);
  const { vector } = await subject.meaningOf(query.query, 1);
  const companies = new Map<bigint, { id: bigint; similarity: number }>();
  for (const { id, companyId, kind, country } of observations) {
    if (!kinds.includes(kind) || (countries.length > 0 && !countries.includes(country))) continue;
    const similarity = cosine(vector, subject.vectors.get(id) ?? []);
    if (similarity > (companies.get(companyId)?.similarity ?? -1)) companies.set(companyId, { id, similarity });
  }
  const ordered = [...companies.values()].toSorted((a, b) => b.similarity - a.similarity);
  return ordered.slice(0, POOLED).map(({ id }) => id);
}
