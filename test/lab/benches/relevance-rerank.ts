import { parseArgs } from 'node:util';
import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { createRerankingReorderer } from '@ces/search/reranking/rerank-companies';
import { kindNamed } from './relevance-index/corpus.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean, quantile } from './relevance-index/measures.ts';
import { startPassageScorer } from './relevance-index/passage-scorer.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { judge, type Ranked, rankQuery, type Score } from './relevance-index/score-query.ts';

// Measures a reranker of the first thirty results: an endpoint without a model, the one of --url,
// or an oracle: npm run lab -- relevance-rerank CORPUS [--url URL --model NAME]
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string', default: 'passages' },
    seed: { type: 'string', default: '1' },
  },
});
const SHARES = [100, 200, 300, 500, 700, 1000];
const TIMEOUT_MS = 30_000;

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const { observations, companies } = subject.corpus;
const companyOf = new Map(companies.map((document) => [document.id, document]));
await using scorer = await startPassageScorer(
  observations.map((document) => [document.observedFact, ...document.excerpts].join(' ')),
);
const lookup = {
  getDocuments: async (request: { companyIds: bigint[]; observationIds: bigint[] }) => ({
    companies: request.companyIds.flatMap((id) => companyOf.get(id) ?? []),
    observations: request.observationIds.flatMap((id) => subject.corpus.byId.get(id) ?? []),
  }),
} as never;
const tools = { lookup, clock: systemClock, logger: createLogger('bench', 'warn') };

const ranked: Ranked[] = [];
for (const query of subject.judged) ranked.push(await rankQuery(query, subject));
const before = ranked.map((one) => judge(one, subject));
const random = seeded(Number(options.seed));
console.log('reranker        share  nDCG@10  by evidence  kind@10  gain by evidence        ms p50  p95');
print('words alone', 0, before, []);
for (const share of SHARES) {
  const reorderer = reordererOf(share);
  const times: number[] = [];
  const scores: Score[] = [];
  for (const one of ranked) {
    const begun = performance.now();
    scores.push(judge(await reordered(one, reorderer), subject));
    times.push(performance.now() - begun);
  }
  print(options.url ? options.model : 'passages', share, scores, times);
}
for (const share of SHARES) {
  const scores: Score[] = [];
  for (const one of ranked) scores.push(judge(await reordered(one, perfectOf(one, share)), subject));
  print('perfect', share, scores, []);
}

function reordererOf(share: number) {
  const url = options.url ?? scorer.url;
  return createRerankingReorderer({ ...settingsOf(share), rerankUrl: url, rerankModel: options.model }, tools);
}

function perfectOf({ query, companies: found }: Ranked, share: number) {
  const answers = new Set(query.relevant_observation_ids.map(BigInt));
  const isRight = ({ hits }: RankedCompany) =>
    hits.some(({ observationId: id }) => {
      const document = subject.corpus.byId.get(id);
      const inPool = document?.origin === query.pool.source && document.kind === kindNamed(query.pool.kind);
      return inPool && answers.has(id);
    });
  const reranker = { rerank: async () => found.slice(0, 30).map((company) => Number(isRight(company))) };
  return createRerankingReorderer(settingsOf(share), { ...tools, reranker });
}

function settingsOf(share: number) {
  return {
    rerankUrl: '',
    rerankModel: '',
    rerankKey: process.env.CES_SEARCH_RERANK_KEY ?? '',
    rerankTimeoutMs: TIMEOUT_MS,
    rerankConcurrency: 1,
    rerankShare: share,
  };
}

async function reordered(one: Ranked, reorderer: ReturnType<typeof reordererOf>): Promise<Ranked> {
  const bounds = { signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: undefined };
  return { ...one, companies: (await reorderer?.reorder(one.query.query, one.companies, bounds)) ?? one.companies };
}

function print(name: string, share: number, scores: readonly Score[], times: readonly number[]): void {
  const gains = scores.map(({ evidence }, at) => evidence - (before[at]?.evidence ?? evidence));
  const [low, high] = bootstrap(gains, random);
  const means = [
    scores.map(({ ndcg }) => ndcg),
    scores.map(({ evidence }) => evidence),
    scores.map(({ kindPrecision }) => kindPrecision),
  ].map((values) => mean(values).toFixed(3));
  const gain = share === 0 ? '' : `${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const ms = times.length > 0 ? [0.5, 0.95].map((at) => quantile(times, at).toFixed(0)) : [];
  console.log([name.padEnd(14), String(share).padStart(5), ...means, gain.padEnd(24), ...ms].join('  '));
}
