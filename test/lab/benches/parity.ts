import path from 'node:path';
import { systemClock } from '@ces/chassis/service/clock';
import { startProgress } from '@ces/cli/output/progress';
import { Refusal } from '@ces/cli/refusal';
import type { ObservationIndex } from '@ces/search/index/observation-index';
import { planQuery } from '@ces/search/planning/plan-query';
import { readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { engineNamed } from '../support/search-engine.ts';
import { openBothEngines } from './parity/both-engines.ts';
import { compare, findMisses, type Pair, type Ranked } from './parity/compare.ts';
import { figuresOf, textOf } from './parity/report.ts';
import { type Corpus, type JudgedQuery, readCorpus, readJudgments } from './relevance-index/corpus.ts';
import { seeded } from './relevance-index/resampling.ts';
import { filtersOf, judge, rankPlan } from './relevance-index/score-query.ts';

const USAGE =
  'npm run lab -- parity FOLDER [--engine NAME] [--opensearch URL] [--judgments FILE] [--verbose] [--seed S] [--json FILE]';

const { positionals, values: options } = readArguments(USAGE, {
  engine: { type: 'string', default: 'opensearch' },
  opensearch: { type: 'string' },
  judgments: { type: 'string' },
  verbose: { type: 'boolean' },
  seed: { type: 'string', default: '1' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

/** Ranks every judged query with the memory index and with another engine over the same corpus. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const [folder] = positionals;
  if (folder === undefined) throw new Refusal(`Name a folder: ${USAGE}`);
  const judged = readJudgments(options.judgments ?? path.join(folder, 'judgments.jsonl'));
  const corpus = await readCorpus(folder);
  await using engines = await openBothEngines(engineNamed(options.engine), corpus, options.opensearch);
  using progress = startProgress(process.stderr, 'queries');
  const pairs: Pair[] = [];
  /* Runs the first query twice, so that no engine pays for a cold start. */
  for (const [at, query] of [...judged.slice(0, 1), ...judged].entries()) {
    goOn(signal);
    const filters = filtersOf(query);
    const plan = planQuery(query.query, filters, engines.vocabulary, systemClock.now());
    const rank = (index: ObservationIndex) => timed(query, corpus, () => rankPlan(index, plan, filters));
    const reference = await rank(engines.reference);
    const candidate = await rank(engines.candidate);
    if (at > 0) pairs.push({ queryId: query.query_id, family: query.family, reference, candidate });
    progress.at(`${at} of ${judged.length}`, at / judged.length);
  }
  const comparisons = compare(pairs, seeded(Number(options.seed)));
  const whole = comparisons.at(-1);
  const misses = whole ? findMisses(whole) : [];
  if (misses.length > 0) process.exitCode = 1;
  const seen = { engine: options.engine, seed: options.seed, pairs, comparisons, misses };
  return { json: figuresOf(seen), text: textOf(seen, options.verbose ?? false) };
}

async function timed(query: JudgedQuery, corpus: Corpus, rank: () => ReturnType<typeof rankPlan>): Promise<Ranked> {
  const begun = performance.now();
  const { companies, candidateLimitReached, ranking } = await rank();
  const ms = performance.now() - begun;
  return {
    companies: companies.map(({ companyId }) => companyId),
    ndcg: judge({ query, companies, ms }, { corpus }).ndcg,
    declaredCut: ranking.truncated || (ranking.retrievalCut && !candidateLimitReached),
    ms,
  };
}
