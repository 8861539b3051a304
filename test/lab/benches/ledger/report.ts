import { list, table } from '@ces/cli/output/table';
import type { Figures } from '../../support/bench.ts';
import type { Rate } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';

const ROWS = {
  commits_one_row: 'pg client, one row, 4 connections: commits',
  pairs_hot: 'ledger RPC, one subscription: pairs',
  pairs_hot_shared: 'the same as operations calls, sharing calls: pairs',
  pairs_hot_inside: 'postings without RPC, one subscription: pairs',
  commits_many_rows: 'pg client, many rows, 50 connections: commits',
  pairs_spread: 'ledger RPC, many subscriptions: pairs',
  pairs_spread_shared: 'the same as operations calls, sharing calls: pairs',
  look_ups_hot: 'REST, one subscription: metered look-ups',
} as const;

export type Measured = keyof typeof ROWS;

export interface Measurements {
  readonly callers: number;
  readonly subscriptions: number;
  readonly seconds: number;
  readonly rounds: number;
  /** One-minute load average before the measurement. */
  readonly load: number;
  readonly durability: BenchServer['durability'];
  readonly measured: ReadonlyMap<Measured, Rate>;
}

export function report(found: Measurements): Figures {
  const { measured, durability, callers, subscriptions } = found;
  const ratios = ratiosOf(measured);
  const conditions = list([
    ['fsync, synchronous_commit', `${durability.fsync}, ${durability.synchronous_commit}`],
    ['callers, subscriptions', `${callers}, ${subscriptions}`],
    ['load average before', found.load.toFixed(1)],
    ['medians of', `${found.rounds} rounds of ${found.seconds} s`],
  ]);
  const names = Object.keys(ROWS) as Measured[];
  const rows = names.flatMap((name) => {
    const rate = measured.get(name);
    return rate ? [[ROWS[name], ...cellsOf(rate)]] : [];
  });
  const figures = table(['what', 'a second', 'p50 ms', 'p99 ms', 'ledger', 'postgres', 'callers'], rows);
  const compared = list(Object.entries(ratios).map(([name, ratio]) => [name, ratio.toFixed(2)]));
  return {
    json: { ...found, measured: Object.fromEntries(measured), ratios },
    text: `${conditions}\n\n${figures}\n(the last three: processor milliseconds of each)\n\n${compared}`,
  };
}

/** Compares with plain commits of the same run. */
function ratiosOf(measured: Measurements['measured']): Record<string, number> {
  const ratio = (name: Measured, commits: Measured) =>
    (measured.get(name)?.perSecond ?? 0) / (measured.get(commits)?.perSecond ?? Number.NaN);
  const ratios = {
    'pairs on one subscription / commits on one row': ratio('pairs_hot', 'commits_one_row'),
    'without RPC / commits on one row': ratio('pairs_hot_inside', 'commits_one_row'),
    'pairs on many subscriptions / commits on many rows': ratio('pairs_spread', 'commits_many_rows'),
    'look-ups over REST / commits on one row': ratio('look_ups_hot', 'commits_one_row'),
  };
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => value > 0));
}

function cellsOf({ perSecond, p50, p99, processorMs }: Rate): (string | undefined)[] {
  const fixed = (value: number | undefined, digits: number) => (value ? value.toFixed(digits) : undefined);
  return [
    fixed(perSecond, 0),
    fixed(p50, 1),
    fixed(p99, 1),
    fixed(processorMs?.ledger, 2),
    fixed(processorMs?.postgres, 2),
    fixed(processorMs?.callers, 2),
  ];
}
