import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { table } from '@ces/cli/output/table';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import {
  agreementOf,
  BLIND_JUDGMENTS,
  BLIND_QUERIES,
  type BlindQuery,
  type BlindScore,
  type Judged,
  readBlindJudgments,
  readBlindQueries,
  scoreBlind,
} from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean } from './relevance-index/measures.ts';
import { writePool } from './relevance-index/pool.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { rankQuery } from './relevance-index/score-query.ts';

// Scores queries that were written blind, by judged results: npm run lab -- relevance-blind CORPUS
// [--pool FOLDER] [--json FILE]
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    verbose: { type: 'boolean' },
    queries: { type: 'string', default: BLIND_QUERIES },
    judgments: { type: 'string', default: BLIND_JUDGMENTS },
    /**
     * Writes the unjudged results for judging. Adds results for the words of the need, because a
     * ranking never shows the answers that it misses.
     */
    pool: { type: 'string' },
    json: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
/** Companies of a ranking to judge. Twice the scored depth, so that misses become visible. */
const POOLED = 20;

await using subject = await openCorpusIndex({
  directory: positionals[0],
  server: options.server,
  fresh: options.fresh,
});
const queries = readBlindQueries(options.queries);
const judgments = readBlindJudgments(options.judgments);
const unjudged = new Map<BlindQuery, Set<bigint>>(queries.map((query) => [query, new Set()]));
report(await scoreAll());
const { pairs, same, kappa } = agreementOf(options.judgments);
if (pairs > 0) console.log(`two readings of ${pairs}: the same for ${same.toFixed(3)}, kappa ${kappa.toFixed(2)}`);
if (options.pool !== undefined) {
  for (const query of queries)
    await addUnjudged(query, (await rankQuery({ ...query, query: query.need }, subject)).companies);
  await writePool(options.pool, unjudged, subject.corpus);
}

function addUnjudged(query: BlindQuery, companies: readonly RankedCompany[]): void {
  for (const { hits } of companies.slice(0, POOLED))
    for (const { observationId } of hits)
      if (judgments.get(query.query_id)?.has(observationId) !== true) unjudged.get(query)?.add(observationId);
}

async function scoreAll(): Promise<BlindScore[]> {
  const scores: BlindScore[] = [];
  for (const query of queries) {
    const { companies } = await rankQuery(query, subject);
    const judged: Judged = judgments.get(query.query_id) ?? new Map();
    addUnjudged(query, companies);
    scores.push(scoreBlind(query, companies, judged, (id) => subject.corpus.byId.get(id)?.companyId));
  }
  return scores;
}

function report(all: readonly BlindScore[]): void {
  if (options.verbose)
    for (const { query, byEvidence, byCompany, precision, unjudged: open, answers } of all)
      console.log(
        `${query.query_id} ${[byEvidence, byCompany, precision].map((value) => value.toFixed(3)).join(' ')} ` +
          `${open} ${answers}  ${query.query.slice(0, 90)}`,
      );
  const groups = new Map([
    ...Map.groupBy(all, ({ query }) => query.kind),
    ['plain', all.filter(({ query }) => query.hard.length === 0)],
    ['hard', all.filter(({ query }) => query.hard.length > 0)],
    ['all', all],
  ]);
  const rows = [...groups].map(([group, own]) => rowOf(group, own));
  console.log(table(['queries', 'number', 'answered by some', 'by evidence', 'by company', 'P@10', 'unjudged'], rows));
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(all, null, 1));
}

function rowOf(group: string, own: readonly BlindScore[]): (string | number)[] {
  const answered = own.filter(({ answers }) => answers > 0);
  const gains = answered.map(({ byEvidence }) => byEvidence);
  const [low, high] = bootstrap(gains, seeded(Number(options.seed)));
  const open = own.reduce((sum, one) => sum + one.unjudged, 0);
  if (answered.length === 0) return [group, own.length, 0, '', '', '', open];
  return [
    group,
    own.length,
    answered.length,
    `${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
    mean(answered.map(({ byCompany }) => byCompany)).toFixed(3),
    mean(answered.map(({ precision }) => precision)).toFixed(3),
    open,
  ];
}
