import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean, quantile } from './relevance-index/measures.ts';
import { type Score, scoreQueries } from './relevance-index/score-query.ts';

// Scores ranking against judged queries, directly on the index: npm run lab -- relevance-index CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    verbose: { type: 'boolean' },
    budget: { type: 'string' },
  },
});

const budget = options.budget === undefined ? undefined : Number(options.budget);
await using subject = await openCorpusIndex({ directory: positionals[0], ...options, budget });
report(await scoreQueries(subject));

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
