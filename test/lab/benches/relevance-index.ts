import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean, quantile } from './relevance-index/measures.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { type Score, scoreQueries } from './relevance-index/score-query.ts';

// Scores ranking against judged queries, directly on the index: npm run lab -- relevance-index
// CORPUS. To measure a change, run with --scores FILE before it and with --against FILE after it.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    verbose: { type: 'boolean' },
    scores: { type: 'string' },
    against: { type: 'string' },
  },
});

const COMPARED = ['ndcg', 'evidence', 'recall', 'kindPrecision'] as const;
type Kept = Readonly<Record<string, Pick<Score, (typeof COMPARED)[number]>>>;

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const scores = await scoreQueries(subject);
report(scores);
if (options.against) compare(scores, JSON.parse(readFileSync(options.against, 'utf8')));
if (options.scores)
  writeFileSync(
    options.scores,
    JSON.stringify(Object.fromEntries(scores.map((one) => [one.query.query_id, kept(one)]))),
  );

function kept({ ndcg, evidence, recall, kindPrecision }: Score) {
  return { ndcg, evidence, recall, kindPrecision };
}

function compare(all: readonly Score[], before: Kept): void {
  const random = seeded(1);
  for (const name of COMPARED) {
    const gains = all.map((score) => score[name] - (before[score.query.query_id]?.[name] ?? score[name]));
    const [low, high] = bootstrap(gains, random);
    const counted = `${gains.filter((gain) => gain > 1e-6).length} better, ${gains.filter((gain) => gain < -1e-6).length} worse`;
    console.log(`${name}: ${signed(mean(gains))} [${signed(low)}, ${signed(high)}] against the run before, ${counted}`);
  }
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${figure(Math.abs(value))}`;
}

function report(all: readonly Score[]): void {
  if (options.verbose)
    for (const { query, ndcg, evidence, recall, kindPrecision, ms } of all)
      console.log(
        `${query.query_id} ${query.family.slice(0, 1)} ${figure(ndcg)} ${figure(evidence)} ${figure(recall)} ${figure(kindPrecision)} ${ms.toFixed(0).padStart(4)} ms  ${query.query}`,
      );
  console.log('family  queries  nDCG@10  by evidence  R@100  kind@10');
  const families = Map.groupBy(all, ({ query }) => query.family.slice(0, 1));
  for (const [family, own] of [...families, ['all', all] as const])
    console.log(
      `${family.padEnd(6)}  ${String(own.length).padStart(7)}  ${figure(mean(own.map((s) => s.ndcg))).padStart(7)}  ` +
        `${figure(mean(own.map((s) => s.evidence))).padStart(11)}  ` +
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
