import path from 'node:path';
import { systemClock } from '@ces/chassis/service/clock';
import { table } from '@ces/cli/output/table';
import { planQuery } from '@ces/search/planning/plan-query';
import { namedKinds } from '@ces/search/ranking/plan-traits';
import { loadVocabulary } from '@ces/search/vocabulary/load-vocabulary';
import { readArguments } from '../support/arguments.ts';
import { BLIND_SETS, readBlindQueries } from './relevance-index/blind.ts';
import { kindNamed, readJudgments } from './relevance-index/corpus.ts';
import { readHeldOut } from './relevance-index/held-out.ts';
import { type FilteredQuery, filtersOf } from './relevance-index/score-query.ts';

// Counts how often the words of a query name the judged kind, no kind or another. Prints only
// counts, so that held-out queries remain unseen.
const USAGE = 'npm run lab -- relevance-kinds FOLDER';
const [directory] = readArguments(USAGE, {}).positionals;
if (!directory) throw new Error(`name the folder of a corpus: ${USAGE}`);

interface KindQuery extends FilteredQuery {
  readonly kind: string;
}

type Reading = 'right' | 'right and others' | 'wrong' | 'none';
const READINGS: readonly Reading[] = ['right', 'right and others', 'wrong', 'none'];

const vocabulary = loadVocabulary();
const sets: readonly (readonly [string, readonly KindQuery[]])[] = [
  ['labels', readJudgments(path.join(directory, 'judgments.jsonl')).map((one) => ({ ...one, kind: one.pool.kind }))],
  ['held out', readHeldOut()],
  ...BLIND_SETS.map(({ name, queries }) => [name, readBlindQueries(queries)] as const),
];
const rows = sets.flatMap(([name, queries]) => {
  const open = queries.filter((query) => filtersOf(query).kinds.length > 1);
  return [...Map.groupBy(open, ({ kind }) => kind), ['all', open] as const].map(([kind, own]) => {
    const readings = Map.groupBy(own, readingOf);
    return [name, kind, own.length, ...READINGS.map((reading) => readings.get(reading)?.length ?? 0)];
  });
});
console.log(table(['set', 'kind', 'queries that may show several', ...READINGS], rows));

function readingOf(query: KindQuery): Reading {
  const named = namedKinds(planQuery(query.query, filtersOf(query), vocabulary, systemClock.now()));
  if (named.length === 0) return 'none';
  if (!named.includes(kindNamed(query.kind))) return 'wrong';
  return named.length === 1 ? 'right' : 'right and others';
}
