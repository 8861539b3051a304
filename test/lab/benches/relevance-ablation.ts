import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean } from './relevance-index/measures.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { type Score, scoreQueries } from './relevance-index/score-query.ts';
import { STEPS, WITHOUT } from './relevance-index/variants.ts';

// Measures the effect of each part of ranking by family, with paired bootstrap intervals: npm run
// lab -- relevance-ablation CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const random = seeded(Number(options.seed));
const families = [...new Set(subject.judged.map(({ family }) => family.slice(0, 1)))].toSorted();
console.log(`seed ${options.seed}, nDCG@10 over ${subject.judged.length} queries`);
console.log(`| variant | ${families.join(' | ')} | all | R@100 | kind | paired gain |`);

let before: Score[] | undefined;
for (const [name, change] of STEPS) {
  const scores = await scoreQueries(subject, change);
  row(name, scores, before);
  before = scores;
}
console.log(`| (interval of the whole) | | | | | | | | | ${interval((before ?? []).map(({ ndcg }) => ndcg))} |`);
for (const [name, change] of WITHOUT) row(name, await scoreQueries(subject, change), before);

function row(name: string, scores: readonly Score[], against: readonly Score[] | undefined): void {
  const byFamily = families.map((family) =>
    figure(mean(scores.filter(({ query }) => query.family.startsWith(family)).map(({ ndcg }) => ndcg))),
  );
  const gains = scores.map(({ ndcg }, at) => ndcg - (against?.[at]?.ndcg ?? ndcg));
  const gain = against ? `${signed(mean(gains))} ${interval(gains)}` : '';
  const all = [
    scores.map(({ ndcg }) => ndcg),
    scores.map(({ recall }) => recall),
    scores.map(({ kindPrecision }) => kindPrecision),
  ].map((values) => figure(mean(values)));
  console.log(`| ${[name, ...byFamily, ...all, gain].join(' | ')} |`);
}

function interval(values: readonly number[]): string {
  const [low, high] = bootstrap(values, random);
  return `[${signed(low)}, ${signed(high)}]`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))}`;
}

function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}
