import path from 'node:path';
import { parseArgs } from 'node:util';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { systemClock } from '@ces/chassis/clock';
import { createLogger } from '@ces/chassis/log';
import { createPool } from '@ces/chassis/postgres';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import type { ObservationIndex } from '../src/index/observation-index.ts';
import { createPostgresIndex } from '../src/index/postgres/postgres-index.ts';
import { planQuery } from '../src/planning/plan-query.ts';
import { rankCompanies } from '../src/ranking/rank-companies.ts';
import { loadVocabulary, type Vocabulary } from '../src/vocabulary.ts';
import { type Corpus, type JudgedQuery, kindNamed, readCorpus, readJudgments } from './corpus.ts';
import { openBenchDatabase } from './database.ts';
import { mean, ndcgAt10, quantile, recallAt100 } from './measures.ts';

// Scores ranking against judged queries, directly on the index: node services/search/bench/relevance.ts CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    verbose: { type: 'boolean' },
  },
});
const corpusDirectory = positionals[0];
if (!corpusDirectory)
  throw new Error(
    'usage: node services/search/bench/relevance.ts CORPUS [--judgments FILE] [--server URL [--fresh]] [--verbose]',
  );

const EVENT_KINDS = (Object.values(Kind) as (Kind | string)[]).filter(
  (kind): kind is Kind => typeof kind === 'number' && kind !== Kind.UNSPECIFIED && kind !== Kind.COMPANY_PROFILE,
);
/** Kinds that a company search lets a subscriber filter by; the others are named in words alone. */
const FILTER_KINDS: ReadonlySet<string> = new Set(['company_profile', 'procurement_request', 'facility_expansion']);

await using database = await openBenchDatabase(options.server, options.fresh ?? false);
const pool = createPool({
  connectionString: database.url,
  max: 4,
  applicationName: 'search bench',
  logger: createLogger('bench', 'warn'),
  statementTimeoutMs: 600_000,
});
const vocabulary = loadVocabulary();
const index = createPostgresIndex({
  pool,
  clock: systemClock,
  placeCodes: vocabulary.placeCodes,
  statementTimeoutMs: 20_000,
  matchBudget: 12_000,
  windowMatchBudget: 6_000,
});
const corpus = await readCorpus(corpusDirectory);
if (!database.loaded) await load(index, corpus);
const judged = readJudgments(options.judgments ?? path.join(corpusDirectory, 'judgments.jsonl'));
const pooled = poolOf(corpus);
await score(judged[0] as JudgedQuery, index, vocabulary);
const scores = [];
for (const query of judged) scores.push(await score(query, index, vocabulary));
report(scores);
await pool.end();

interface Score {
  readonly query: JudgedQuery;
  readonly ndcg: number;
  readonly recall: number;
  readonly kindPrecision: number;
  readonly ms: number;
}

async function load(target: ObservationIndex, { observations, companies }: Corpus): Promise<void> {
  const began = performance.now();
  const size = 1000;
  let seq = 0n;
  for (let at = 0; at < observations.length || at < companies.length; at += size) {
    const from = seq === 0n ? undefined : { tx: seq, seq };
    seq += 1n;
    const stretch = { feed: 'live' as const, from: from as never, to: { tx: seq, seq } as never, complete: true };
    await target.apply({
      observations: observations.slice(at, at + size),
      companies: companies.slice(at, at + size),
      stretch,
    });
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `loaded ${observations.length} observations in ${seconds.toFixed(1)} s (${Math.round(observations.length / seconds)}/s)`,
  );
  await target.refreshStatistics();
}

/** Observations by the pool that judged them. */
function poolOf({ observations }: Corpus): ReadonlyMap<bigint, { origin: string; kind: Kind }> {
  return new Map(observations.map(({ id, origin, kind }) => [id, { origin, kind }]));
}

async function score(query: JudgedQuery, target: ObservationIndex, words: Vocabulary): Promise<Score> {
  const filters = filtersOf(query);
  const began = performance.now();
  const plan = planQuery(query.query, filters, words, systemClock.now());
  const { companies } = await rankCompanies(
    target,
    plan,
    filters,
    { candidates: 200, companies: 100, minimumScore: 0 },
    { explain: false, timeoutMs: undefined },
  );
  const ms = performance.now() - began;
  const inPool = (id: bigint) =>
    pooled.get(id)?.origin === query.pool.source && pooled.get(id)?.kind === kindNamed(query.pool.kind);
  const returned = companies.filter((company) => company.hits.some((hit) => inPool(hit.observationId)));
  const ranking = returned.map((company) => company.companyId);
  const relevant = new Set(query.relevant_company_ids.map(BigInt));
  const ofKind = companies
    .slice(0, 10)
    .filter((company) =>
      company.hits.some((hit) => pooled.get(hit.observationId)?.kind === kindNamed(query.pool.kind)),
    );
  return {
    query,
    ndcg: ndcgAt10(ranking, relevant),
    recall: recallAt100(ranking, relevant),
    kindPrecision: companies.length === 0 ? 0 : ofKind.length / Math.min(10, companies.length),
    ms,
  };
}

/** The query's filters as a subscriber could set them. */
function filtersOf({ filters }: JudgedQuery): SearchFilters {
  const kinds = (filters.kinds ?? []).filter((kind) => FILTER_KINDS.has(kind)).map(kindNamed);
  return create(SearchFiltersSchema, {
    kinds: kinds.length > 0 ? kinds : EVENT_KINDS,
    countries: (filters.countries ?? []).map((code) => Country[code as keyof typeof Country]),
    ...(filters.occurred_after && { occurredAfter: timestampFromDate(new Date(filters.occurred_after)) }),
  });
}

function report(all: readonly Score[]): void {
  if (options.verbose)
    for (const { query, ndcg, recall, kindPrecision, ms } of all)
      console.log(
        `${query.query_id} ${query.family.slice(0, 1)} ${figure(ndcg)} ${figure(recall)} ${figure(kindPrecision)} ${ms.toFixed(0).padStart(4)} ms  ${query.query}`,
      );
  console.log('family  queries  nDCG@10  R@100  kind@10');
  const families = Map.groupBy(all, ({ query }) => query.family.slice(0, 1));
  for (const [family, own] of [...families, ['all', all] as const])
    console.log(
      `${family.padEnd(6)}  ${String(own.length).padStart(7)}  ${figure(mean(own.map((s) => s.ndcg))).padStart(7)}  ` +
        `${figure(mean(own.map((s) => s.recall)))}  ${figure(mean(own.map((s) => s.kindPrecision)))}`,
    );
  const times = all.map(({ ms }) => ms);
  console.log(
    `latency ms: p50 ${quantile(times, 0.5).toFixed(1)}  p95 ${quantile(times, 0.95).toFixed(1)}  max ${Math.max(...times).toFixed(1)}`,
  );
}

function figure(value: number): string {
  return value.toFixed(3);
}
