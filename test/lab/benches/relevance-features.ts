import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import { startEncoder } from '@ces/search/embedding/encoder/encoder';
import { quantise } from '@ces/search/embedding/observation-vector';
import type { RankedHit } from '@ces/search/index/observation-index';
import { planQuery } from '@ces/search/planning/plan-query';
import { cosine } from '@ces/search/ranking/fuse';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import {
  BLIND_SETS,
  type BlindQuery,
  readBlindJudgments,
  readBlindQueries,
  TEST_SET,
  TRAINING_SET,
} from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { corpusVectors } from './relevance-index/corpus-vectors.ts';
import { filtersOf, rankPlan } from './relevance-index/score-query.ts';

// What is known of every company found for every query that was judged by reading, one line a query, for
// test/lab/model/fit_relevance.py: npm run lab -- relevance-features CORPUS --vectors FILE --out FILE
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, vectors: { type: 'string' }, out: { type: 'string' } },
});
if (options.out === undefined) throw new Error('name the file to write: --out FILE');
const SETS = [...BLIND_SETS, TEST_SET, TRAINING_SET];
const TIMEOUT_MS = 60_000;
/** Of so many observations one stands for all, where the likeness of a query to anything is measured. */
const SAMPLED = 47;

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const { observations, byId } = subject.corpus;
await using encoder = startEncoder({ logger: createLogger('bench', 'warn'), priority: 'foreground' });
const vectors = await corpusVectors(observations, encoder, options.vectors);
const sample = observations.filter((_, at) => at % SAMPLED === 0);
const out = createWriteStream(options.out);
for (const { name, queries, judgments } of SETS) {
  const judged = readBlindJudgments(judgments);
  for (const query of readBlindQueries(queries)) {
    const line = await featuresOf(query, judged.get(query.query_id) ?? new Map<bigint, boolean>());
    out.write(`${JSON.stringify({ set: name, ...line })}\n`);
  }
  console.error(`${name}: done`);
}
out.end();
await finished(out);

async function featuresOf(query: BlindQuery, judged: ReadonlyMap<bigint, boolean>) {
  const filters = filtersOf(query);
  const plan = planQuery(query.query, filters, subject.vocabulary, systemClock.now());
  const { companies } = await rankPlan(subject.index, plan, filters);
  const [embedded = new Float32Array()] = await encoder.embed([query.query], 'query', AbortSignal.timeout(TIMEOUT_MS));
  const likenessOf = likenessTo(quantise(embedded));
  const right = new Set([...judged].filter(([, verdict]) => verdict).map(([id]) => byId.get(id)?.companyId));
  const background = sample.map(({ id }) => likenessOf(id));
  const mean = background.reduce((sum, likeness) => sum + likeness, 0) / background.length;
  const variance = background.reduce((sum, likeness) => sum + (likeness - mean) ** 2, 0) / background.length;
  return {
    id: query.query_id,
    answers: right.size,
    asksPlace: plan.places.length > 0,
    asksTime: plan.since !== undefined || plan.until !== undefined,
    asksFact: plan.facts.length > 0,
    background: mean,
    spread: Math.sqrt(variance),
    companies: companies.map(({ companyId, hits }: RankedCompany) => ({
      id: Number(companyId),
      hits: hits.map((hit) => featuresOfHit(hit, likenessOf(hit.observationId), judged.get(hit.observationId))),
    })),
  };
}

function featuresOfHit(hit: RankedHit, likeness: number, answers: boolean | undefined) {
  const { observationId, companyId: _, gains: __, ...parts } = hit;
  const kind = byId.get(observationId)?.kind;
  return { ...parts, id: Number(observationId), observationKind: kind, likeness, answers };
}

function likenessTo(asked: Int8Array): (id: bigint) => number {
  return (id) => cosine(asked, vectors.get(id) ?? []);
}
