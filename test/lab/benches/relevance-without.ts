import { systemClock } from '@ces/chassis/service/clock';
import { table } from '@ces/cli/output/table';
import { planQuery } from '@ces/search/planning/plan-query';
import type { RankedCompany } from '@ces/search/ranking/rank-companies';
import { readArguments } from '../support/arguments.ts';
import {
  BLIND_SETS,
  type BlindQuery,
  type Judged,
  readBlindJudgments,
  readBlindQueries,
  scoreBlind,
  TEST_SET,
} from './relevance-index/blind.ts';
import { openCorpusIndex } from './relevance-index/corpus-index.ts';
import { readHeldOut, scoreHeldOut } from './relevance-index/held-out.ts';
import { mean } from './relevance-index/measures.ts';
import { bootstrap, seeded } from './relevance-index/resampling.ts';
import { type FilteredQuery, filtersOf, rankQuery, scoreQueries } from './relevance-index/score-query.ts';
import { type Change, WITHOUT } from './relevance-index/variants.ts';

// Measures the effect of one part of ranking on every set of judged queries.
const USAGE = "npm run lab -- relevance-without CORPUS [--part 'typed facts'] [--seed N] [--server URL] [--fresh]";
const { values: options, positionals } = readArguments(USAGE, {
  server: { type: 'string' },
  fresh: { type: 'boolean' },
  part: { type: 'string', default: 'typed facts' },
  seed: { type: 'string', default: '1' },
});

interface Measured {
  readonly query: FilteredQuery;
  readonly gain: number;
  /** Companies in the first ten without a judgment, which count as wrong or are skipped. */
  readonly unjudged: number;
}

const without = WITHOUT.find(([name]) => name === `without ${options.part}`)?.[1];
if (!without) throw new Error(`--part is one of: ${WITHOUT.map(([name]) => name.replace('without ', '')).join(', ')}`);
await using subject = await openCorpusIndex({ directory: positionals[0], ...options });
const whole: Change = (plan) => plan;
const rows = [
  await rowOf('judged, nDCG@10', async (change) =>
    (await scoreQueries(subject, change)).map(({ query, ndcg }) => ({ query, gain: ndcg, unjudged: 0 })),
  ),
  await rowOf('held out, nDCG@10', measureHeldOut),
];
for (const { name, queries, judgments } of [...BLIND_SETS, TEST_SET])
  for (const judgedAlone of [false, true])
    rows.push(
      await rowOf(`${name}, by evidence${judgedAlone ? ', unjudged skipped' : ''}`, (change) =>
        measureBlind(readBlindQueries(queries), readBlindJudgments(judgments), judgedAlone, change),
      ),
    );
console.log(
  table(
    [
      'set',
      'queries',
      'changed plans',
      'whole',
      `without ${options.part}`,
      'paired gain',
      'better',
      'worse',
      'unjudged',
    ],
    rows,
  ),
);

async function measureHeldOut(change: Change): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const query of readHeldOut()) {
    if (query.relevant.length === 0) continue;
    const { companies } = await rankQuery(query, subject, change);
    const { ndcg, unjudged } = scoreHeldOut(query, companies, (id) => subject.corpus.byId.get(id)?.kind);
    measured.push({ query, gain: ndcg, unjudged });
  }
  return measured;
}

/**
 * Measures queries with a known answer. Companies without a judgment count as wrong, or are
 * skipped.
 */
async function measureBlind(
  queries: readonly BlindQuery[],
  judgments: ReadonlyMap<string, Judged>,
  judgedAlone: boolean,
  change: Change,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const query of queries) {
    const { companies } = await rankQuery(query, subject, change);
    const judged: Judged = judgments.get(query.query_id) ?? new Map();
    const isJudged = ({ hits }: RankedCompany) => hits.some(({ observationId }) => judged.has(observationId));
    const scored = judgedAlone ? companies.filter(isJudged) : companies;
    const { byEvidence, answers, unjudged } = scoreBlind(
      query,
      scored,
      judged,
      (id) => subject.corpus.byId.get(id)?.companyId,
    );
    if (answers > 0) measured.push({ query, gain: byEvidence, unjudged });
  }
  return measured;
}

async function rowOf(name: string, measure: (change: Change) => Promise<Measured[]>): Promise<(string | number)[]> {
  const all = await measure(whole);
  const poorer = await measure(without ?? whole);
  const gains = all.map(({ gain }, at) => gain - (poorer[at]?.gain ?? gain));
  const [low, high] = bootstrap(gains, seeded(Number(options.seed)));
  return [
    name,
    all.length,
    all.filter(({ query }) => isChanged(query)).length,
    mean(all.map(({ gain }) => gain)).toFixed(3),
    mean(poorer.map(({ gain }) => gain)).toFixed(3),
    `${mean(gains).toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`,
    gains.filter((gain) => gain > 1e-6).length,
    gains.filter((gain) => gain < -1e-6).length,
    [all, poorer].map((measured) => measured.reduce((sum, one) => sum + one.unjudged, 0)).join(' and '),
  ];
}

function isChanged(query: FilteredQuery): boolean {
  const plan = planQuery(query.query, filtersOf(query), subject.vocabulary, systemClock.now());
  const text = (given: typeof plan) =>
    JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  return text(plan) !== text((without ?? whole)(plan));
}
