import { parseArgs } from 'node:util';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { HELD_OUT_QUERIES, type HeldOutScore, readHeldOut, scoreHeldOut } from './relevance-index/held-out.ts';
import { mean } from './relevance-index/measures.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { rankQuery } from './relevance-index/score-query.ts';

// Scores queries that were written blind and judged afterwards: npm run lab -- relevance-held-out
// CORPUS
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    fresh: { type: 'boolean' },
    verbose: { type: 'boolean' },
    queries: { type: 'string', default: HELD_OUT_QUERIES },
    seed: { type: 'string', default: '1' },
  },
});

await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const outcomes: HeldOutScore[] = [];
for (const query of readHeldOut(options.queries)) {
  const { companies } = await rankQuery(query, subject);
  outcomes.push(scoreHeldOut(query, companies, (id) => subject.corpus.byId.get(id)?.kind));
}
for (const [set, own] of Map.groupBy(outcomes, ({ query }) => query.set)) report(set, own);

function report(set: string, own: readonly HeldOutScore[]): void {
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
