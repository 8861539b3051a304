import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '@ces/cli/output/table';
import { type Calibration, loadCalibrations, type RelevanceFeatures, termsOf } from '@ces/search/ranking/calibration';
import { cosine } from '@ces/search/ranking/fuse';
import {
  BLIND_SETS,
  type BlindQuery,
  type BlindSet,
  CALIBRATION_SET,
  isApart,
  type Judged,
  readBlindSet,
  TEST_SET,
  TRAINING_SET,
} from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { fitLogistic, logistic } from './relevance-index/logistic.ts';
import { gainOf, pageOf, type Rated, reliabilityOf } from './relevance-index/probability-report.ts';
import { rankQuery } from './relevance-index/score-query.ts';

// Fits probabilities of relevance to scores, and to similarity on queries that the encoder was not
// trained on, and measures their error on the test set: npm run lab -- relevance-probability
// CORPUS --vectors FILE. --write adds them as a version to services/search/calibrations.json;
// --replace overwrites its newest.
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    vectors: { type: 'string' },
    write: { type: 'boolean' },
    replace: { type: 'boolean' },
  },
});
const FILE = path.resolve(import.meta.dirname, '../../../services/search/calibrations.json');
/** The default of CES_SEARCH_EMBEDDING_WEIGHT. */
const EMBEDDING_WEIGHT = 20;
const THRESHOLDS = [0, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5];
/** Probabilities are trusted up to this error, on at least so many queries outside training. */
const TRUSTED = { error: 0.05, queries: 150 };
/** What a query counts, whatever number of its observations was judged. */
const QUERY_WEIGHT = 10;

type Features = RelevanceFeatures & { readonly similarity: number };

/** An observation that was found, and whether it was judged to answer. */
interface Hit {
  readonly features: Features;
  readonly answers: boolean | undefined;
}
interface Found {
  readonly answers: number;
  readonly companies: readonly (readonly Hit[])[];
}
type Terms = (features: Features) => readonly number[];

await using subject = await openCorpusIndex(positionals[0], options);
const { byId } = subject.corpus;

const byWords: Terms = (features) => Object.values(termsOf(features));
const byMeaning: Terms = (features) => [...byWords(features), features.similarity];
/* Each is fitted to what its search finds. */
const words = await report('words', byWords, false);
const meaning = await report('words and similarity', byMeaning, true);
const calibration = calibrationOf();
console.log(JSON.stringify(calibration, null, 2));
if (options.write || options.replace) write(calibration);

async function readSets(
  sets: readonly BlindSet[],
  findsByMeaning: boolean,
  isWanted: (query: BlindQuery) => boolean = () => true,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const set of sets) {
    for (const [query, judged] of readBlindSet(set))
      if (isWanted(query)) found.push(await find(query, judged, findsByMeaning));
    console.error(`${set.name}: ranked`);
  }
  return found;
}

async function find(query: BlindQuery, judged: Judged, findsByMeaning: boolean): Promise<Found> {
  const meaning = await subject.meaningOf(query.query, EMBEDDING_WEIGHT);
  const companies = await rankQuery(query, subject, findsByMeaning ? meaning : undefined);
  const right = new Set([...judged].filter(([, verdict]) => verdict).map(([id]) => byId.get(id)?.companyId));
  return {
    answers: right.size,
    companies: companies.map(({ hits }) =>
      hits.map(({ observationId, relevance }) => ({
        features: { ...relevance, similarity: cosine(meaning.vector, subject.vectors.get(observationId) ?? []) },
        answers: judged.get(observationId),
      })),
    ),
  };
}

/**
 * Fits on training queries, with vectors on those that the encoder was not trained on. Prints
 * results on the test queries, returns weights and error.
 */
async function report(name: string, terms: Terms, findsByMeaning: boolean) {
  const training = [
    ...(await readSets([CALIBRATION_SET], findsByMeaning)),
    ...(await readSets([...BLIND_SETS, TRAINING_SET], findsByMeaning, findsByMeaning ? isApart : undefined)),
  ];
  const tested = await readSets([TEST_SET], findsByMeaning);
  const weights = fit(training, terms);
  const rated = tested.map((one) => rate(one, terms, weights));
  const { error, companies, rows } = reliabilityOf(rated);
  console.log(
    `${name}: ${tested.length} queries, ${companies} judged companies, expected error ${error.toFixed(3)}, nDCG@10 ${gainOf(rated).toFixed(3)}`,
  );
  console.log(table(['from', 'companies', 'given', 'true'], rows));
  const pages = THRESHOLDS.map((least) => pageOf(rated, least));
  console.log(table(['least', 'precision@25', 'recall@25', 'left empty', 'delivered where nothing answers'], pages));
  const found = tested.reduce((sum, one) => sum + one.companies.length, 0);
  return { weights, error, queries: tested.length, companies: found };
}

function fit(some: readonly Found[], terms: Terms): readonly number[] {
  return fitLogistic(
    some.flatMap(({ companies }) => {
      const judged = companies.flat().filter(({ answers }) => answers !== undefined);
      return judged.map(({ features, answers }) => ({
        features: terms(features),
        outcome: answers === true,
        weight: QUERY_WEIGHT / judged.length,
      }));
    }),
  );
}

function rate({ companies, answers }: Found, terms: Terms, weights: readonly number[]): Rated {
  return {
    answers,
    companies: companies.map((hits) => {
      const judged = hits.filter((hit) => hit.answers !== undefined);
      return {
        probability: Math.max(...hits.map(({ features }) => logistic(terms(features), weights))),
        answers: judged.length === 0 ? undefined : judged.some((hit) => hit.answers === true),
      };
    }),
  };
}

function calibrationOf(): Calibration {
  const newest = loadCalibrations(FILE)[0]?.version ?? 0;
  const named = ([constant = 0, score = 0, highest = 0]: readonly number[]) => ({
    constant: rounded(constant),
    score: rounded(score),
    highest: rounded(highest),
  });
  const isTrusted = (error: number) => meaning.queries >= TRUSTED.queries && error <= TRUSTED.error;
  return {
    version: options.replace ? newest : newest + 1,
    fitted: {
      date: new Date().toISOString().slice(0, 10),
      queries: meaning.queries,
      companies: meaning.companies,
      expectedError: rounded(meaning.error),
    },
    trusted: isTrusted(words.error),
    weights: named(words.weights),
    meaning: {
      model: subject.model,
      ...named(meaning.weights),
      similarity: rounded(meaning.weights[3] ?? 0),
      trusted: isTrusted(meaning.error),
    },
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}

function write(made: Calibration): void {
  const known = loadCalibrations(FILE).toReversed();
  const kept = options.replace ? known.slice(0, -1) : known;
  writeFileSync(FILE, `${JSON.stringify([...kept, made], null, 2)}\n`);
  console.log(`version ${made.version} of ${FILE}`);
}
