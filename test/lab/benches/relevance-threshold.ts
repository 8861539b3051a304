import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean } from './relevance-index/measures.ts';
import { bootstrap, foldsOf, seeded } from './relevance-index/resampling.ts';
import { type Score, scoreQueries } from './relevance-index/score-query.ts';

// Precision and recall by relevance threshold, and a threshold chosen by cross-validation over queries:
// npm run lab -- relevance-threshold CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    seed: { type: 'string', default: '1' },
    folds: { type: 'string', default: '9' },
  },
});
/** Least normalised scores, and least shares of the best one. */
const THRESHOLDS = { score: hundredths(60), share: hundredths(95) };
type Measure = keyof typeof THRESHOLDS;

/** What a threshold leaves of one query's answer. */
interface Cut {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly isEmpty: boolean;
}

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const scores = await scoreQueries(subject);
for (const measure of Object.keys(THRESHOLDS) as Measure[]) {
  printCurve(measure);
  crossValidate(measure, Number(options.folds), Number(options.seed));
}

function hundredths(most: number): number[] {
  return Array.from({ length: most + 1 }, (_, step) => step / 100);
}

/** Over the companies of the pool among the first hundred. */
function cutAt({ ranking, query }: Score, measure: Measure, threshold: number): Cut {
  const least = measure === 'share' ? threshold * (ranking[0]?.score ?? 0) : threshold;
  const kept = ranking.filter(({ score }) => score >= least);
  const right = kept.filter(({ isRelevant }) => isRelevant).length;
  const precision = kept.length === 0 ? 0 : right / kept.length;
  const recall = query.relevant_company_ids.length === 0 ? 0 : right / query.relevant_company_ids.length;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1, isEmpty: kept.length === 0 };
}

function printCurve(measure: Measure): void {
  console.log(`least ${measure}: threshold  precision  recall  F1     empty answers`);
  for (const threshold of THRESHOLDS[measure].filter((_, step) => step % (measure === 'share' ? 5 : 3) === 0)) {
    const cuts = scores.map((score) => cutAt(score, measure, threshold));
    const means = [cuts.map((cut) => cut.precision), cuts.map((cut) => cut.recall), cuts.map((cut) => cut.f1)].map(
      mean,
    );
    const empty = cuts.filter((cut) => cut.isEmpty).length;
    console.log(`${threshold.toFixed(2)}       ${means.map((value) => value.toFixed(3)).join('      ')}  ${empty}`);
  }
}

/** Every query is cut by the threshold that was best for the queries of the other folds. */
function crossValidate(measure: Measure, folds: number, seed: number): void {
  const random = seeded(seed);
  const foldOf = foldsOf(scores.length, folds, random);
  const chosen = Array.from({ length: folds }, (_, fold) =>
    bestFor(
      measure,
      scores.filter((_, at) => foldOf[at] !== fold),
    ),
  );
  const cuts = scores.map((score, at) => cutAt(score, measure, chosen[foldOf[at] ?? 0] ?? 0));
  const gain = (of: (cut: Cut) => number) => {
    const gains = scores.map((score, at) => of(cuts[at] ?? cutAt(score, measure, 0)) - of(cutAt(score, measure, 0)));
    const [low, high] = bootstrap(gains, random);
    return `${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  };
  console.log(`seed ${seed}, ${folds} folds over ${scores.length} queries; thresholds ${chosen.join(' ')}`);
  console.log(
    `held out, against none: precision ${gain((cut) => cut.precision)}, recall ${gain((cut) => cut.recall)},`,
  );
  console.log(`F1 ${gain((cut) => cut.f1)}, empty answers ${cuts.filter((cut) => cut.isEmpty).length}`);
  console.log(`best for all queries: ${bestFor(measure, scores)}`);
}

function bestFor(measure: Measure, training: readonly Score[]): number {
  const f1 = (threshold: number) => mean(training.map((score) => cutAt(score, measure, threshold).f1));
  return THRESHOLDS[measure].reduce((best, threshold) => (f1(threshold) > f1(best) ? threshold : best), 0);
}
