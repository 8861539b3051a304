import os from 'node:os';
import { table } from '@ces/cli/output/table';
import { percentile } from '../../support/figures.ts';
import { COMPARED, type Comparison, GOOD_OVERLAP, overlapOf, type Pair } from './compare.ts';

export interface Seen {
  readonly engine: string;
  readonly seed: string;
  readonly pairs: readonly Pair[];
  readonly comparisons: readonly Comparison[];
  readonly misses: readonly string[];
}

export function figuresOf({ pairs, ...rest }: Seen) {
  return {
    ...rest,
    load: os.loadavg()[0],
    queries: pairs.map((pair) => ({
      query_id: pair.queryId,
      family: pair.family,
      [`overlap_${COMPARED}`]: overlapOf(pair),
      reference: figuresOfRanked(pair.reference),
      candidate: figuresOfRanked(pair.candidate),
    })),
  };
}

function figuresOfRanked({ companies, ndcg, declaredCut, ms }: Pair['reference']) {
  return { companies: companies.length, ndcg_10: ndcg, declared_cut: declaredCut, ms };
}

export function textOf({ engine, seed, pairs, comparisons, misses }: Seen, everyQuery: boolean): string {
  const timesOf = (name: 'reference' | 'candidate') => {
    const times = pairs.map((pair) => pair[name].ms);
    return `${percentile(times, 0.5).toFixed(0)} / ${percentile(times, 0.95).toFixed(0)}`;
  };
  const head = `${pairs.length} queries; Postgres with every match scored beside ${engine}; seed ${seed}; load average ${(os.loadavg()[0] ?? 0).toFixed(1)}`;
  const times = `p50 / p95 ms of a ranking: Postgres ${timesOf('reference')}, ${engine} ${timesOf('candidate')}`;
  return [
    head,
    ...(everyQuery ? [queriesTable(pairs)] : []),
    comparisonsTable(comparisons, engine),
    times,
    misses.length === 0 ? 'The engines are equals.' : misses.join('\n'),
  ].join('\n\n');
}

function comparisonsTable(comparisons: readonly Comparison[], engine: string): string {
  const rows = comparisons.map(({ family, queries, overlap, ndcg, difference, declaredCut }) => [
    family,
    queries,
    ...[overlap.mean, overlap.median, overlap.shareOfGood, ndcg.reference, ndcg.candidate].map(figure),
    `${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}]`,
    `${declaredCut.reference}, ${declaredCut.candidate}`,
  ]);
  const overlap = `overlap@${COMPARED}`;
  return table(
    [
      ...['family', 'queries', overlap, 'median', `at ${GOOD_OVERLAP}`],
      ...['nDCG@10 Postgres', engine, 'difference', 'declared cut'],
    ],
    rows,
  );
}

function queriesTable(pairs: readonly Pair[]): string {
  const rows = pairs
    .map((pair) => ({ ...pair, overlap: overlapOf(pair) }))
    .toSorted((a, b) => a.overlap - b.overlap)
    .map(({ queryId, overlap, reference, candidate }) => [
      queryId,
      figure(overlap),
      `${reference.companies.length}, ${candidate.companies.length}`,
      figure(reference.ndcg),
      figure(candidate.ndcg),
      `${reference.declaredCut ? 'cut' : ''}, ${candidate.declaredCut ? 'cut' : ''}`,
    ]);
  return table(['query', `overlap@${COMPARED}`, 'companies', 'nDCG@10 Postgres', 'other', 'declared'], rows);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${figure(Math.abs(value))}`;
}

function figure(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}
