import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Calibration, type CalibrationWeights, loadCalibrations, termsOf } from '@ces/search/ranking/calibration';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { type JudgedRanking, readJudgedRankings } from './relevance-index/judged-companies.ts';
import { fitLogistic, logistic } from './relevance-index/logistic.ts';
import { type Rated, reliabilityOf, thresholdOf } from './relevance-index/probability-report.ts';
import { foldsOf, seeded } from './relevance-index/resampling.ts';

// Fits how scores become probabilities of relevance, and shows how far they can be trusted on queries that had no say:
// npm run lab -- relevance-probability CORPUS. With --write they become a version of services/search/calibrations.json, with
// --replace they take the place of its newest.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    judgments: { type: 'string' },
    seed: { type: 'string', default: '1' },
    folds: { type: 'string', default: '10' },
    write: { type: 'boolean' },
    replace: { type: 'boolean' },
  },
});
const FILE = path.resolve(import.meta.dirname, '../../../services/search/calibrations.json');
const THRESHOLDS = [0, 50, 100, 150, 200, 250, 300, 400, 500, 600];
/** What is called validated: probabilities wrong by no more than this, on so many queries that were read. */
const TRUSTED = { error: 0.05, queries: 150 };
/** What a query counts, whatever number of its companies was judged. */
const QUERY_WEIGHT = 10;

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const rankings = await readJudgedRankings(subject);
const rated = crossValidated(rankings);
const read = rated.filter(({ set }) => set !== 'labels');
const own = report('own, judged by reading', read);
for (const set of ['held out', 'blind', 'second', 'labels'] as const)
  report(
    set,
    rated.filter((one) => one.set === set),
  );
for (const [name, some] of [
  ['own', read],
  ['labels', rated.filter(({ set }) => set === 'labels')],
] as const) {
  console.log(
    `${name}: least  precision  recall  emptied of answerable  emptied of unanswerable  companies left of each`,
  );
  for (const least of THRESHOLDS) console.log(thresholdOf(some, least));
}
const weights = namedWeights(fit(rankings));
console.log(JSON.stringify(weights));
if (options.write || options.replace) write(weights);

function crossValidated(all: readonly JudgedRanking[]): Rated[] {
  const folds = Number(options.folds);
  const foldOf = foldsOf(all.length, folds, seeded(Number(options.seed)));
  const fitted = Array.from({ length: folds }, (_, fold) => fit(all.filter((_, at) => foldOf[at] !== fold)));
  return all.map((one, at) => ({
    ...one,
    probabilities: one.companies.map(({ features }) =>
      logistic(Object.values(termsOf(features)), fitted[foldOf[at] ?? 0] ?? []),
    ),
  }));
}

function fit(training: readonly JudgedRanking[]): number[] {
  return fitLogistic(
    training.flatMap(({ companies }) => {
      const judged = companies.filter(({ answers }) => answers !== undefined);
      return judged.map(({ features, answers }) => ({
        features: Object.values(termsOf(features)),
        outcome: answers === true,
        weight: QUERY_WEIGHT / judged.length,
      }));
    }),
  );
}

function report(name: string, some: readonly Rated[]): { readonly error: number; readonly companies: number } {
  const { error, companies, rows } = reliabilityOf(some);
  if (companies === 0) return { error: 1, companies };
  console.log(`${name}: ${some.length} queries, ${companies} judged companies, expected error ${error.toFixed(3)}`);
  for (const row of rows) console.log(`  ${row}`);
  return { error, companies };
}

function namedWeights(values: readonly number[]): CalibrationWeights {
  const names = Object.keys(termsOf({ score: 1, highest: 1 }));
  const entries = names.map((name, at) => [name, Number((values[at] ?? 0).toFixed(4))]);
  return Object.fromEntries(entries) as CalibrationWeights;
}

function write(fitted: CalibrationWeights): void {
  const known = loadCalibrations(FILE).toReversed();
  const newest = known.at(-1)?.version ?? 0;
  const kept = options.replace ? known.slice(0, -1) : known;
  const calibration: Calibration = {
    version: options.replace ? newest : newest + 1,
    fitted: {
      date: new Date().toISOString().slice(0, 10),
      queries: read.length,
      companies: own.companies,
      expectedError: Number(own.error.toFixed(3)),
    },
    trusted: read.length >= TRUSTED.queries && own.error <= TRUSTED.error,
    weights: fitted,
  };
  writeFileSync(FILE, `${JSON.stringify([...kept, calibration], null, 2)}\n`);
  console.log(`version ${calibration.version} of ${FILE}`);
}
