import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { kindNamed } from './relevance-index/corpus.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { mean, ndcg } from './relevance-index/measures.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { type FilteredQuery, rankQuery } from './relevance-index/score-query.ts';

// Queries that were written blind and judged afterwards: npm run lab -- relevance-held-out CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    verbose: { type: 'boolean' },
    queries: { type: 'string', default: path.join(import.meta.dirname, 'relevance-index/held-out.jsonl') },
    seed: { type: 'string', default: '1' },
  },
});

/** Judged are the first ten companies of every ranking that was compared, by what they show of the kind asked for. */
interface HeldOut extends FilteredQuery {
  readonly query_id: string;
  readonly set: string;
  readonly kind: string;
  readonly relevant: readonly number[];
  readonly irrelevant: readonly number[];
}

interface Outcome {
  readonly query: HeldOut;
  readonly ndcg: number;
  readonly kindPrecision: number;
  readonly unjudged: number;
}

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const queries = readFileSync(options.queries, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as HeldOut);
const outcomes: Outcome[] = [];
for (const query of queries) outcomes.push(await measure(query));
for (const [set, own] of Map.groupBy(outcomes, ({ query }) => query.set)) report(set, own);

/** Companies without a judgment are skipped, and counted. */
async function measure(query: HeldOut): Promise<Outcome> {
  const { companies } = await rankQuery(query, subject);
  const first = companies.slice(0, 10);
  const relevant = new Set(query.relevant.map(BigInt));
  const known = new Set([...query.relevant, ...query.irrelevant].map(BigInt));
  const judged = first.map(({ companyId }) => companyId).filter((id) => known.has(id));
  const kind = kindNamed(query.kind);
  const carriers = first.filter(({ hits }) =>
    hits.some((hit) => subject.corpus.byId.get(hit.observationId)?.kind === kind),
  );
  return {
    query,
    ndcg: ndcg(
      judged.map((id) => relevant.has(id)),
      relevant.size,
      10,
    ),
    kindPrecision: first.length === 0 ? 0 : carriers.length / first.length,
    unjudged: first.length - judged.length,
  };
}

function report(set: string, own: readonly Outcome[]): void {
  if (options.verbose)
    for (const { query, ndcg: gain, kindPrecision, unjudged } of own)
      console.log(`${query.query_id} ${gain.toFixed(3)} ${kindPrecision.toFixed(2)} ${unjudged}  ${query.query}`);
  const answerable = own.filter(({ query }) => query.relevant.length > 0);
  const gains = answerable.map((outcome) => outcome.ndcg);
  const [low, high] = bootstrap(gains, seeded(Number(options.seed)));
  console.log(
    `${set}: ${own.length} queries, nDCG@10 ${mean(gains).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] over the ` +
      `${answerable.length} that some company answers, kind@10 ${mean(own.map((one) => one.kindPrecision)).toFixed(3)}, ` +
      `${own.reduce((sum, one) => sum + one.unjudged, 0)} of the first tens unjudged`,
  );
}
