import os from 'node:os';
import { table } from '@ces/cli/output/table';
import type { Figures } from '../../support/bench.ts';
import { type Compared, judge } from './alternately.ts';

export interface Measured {
  readonly seed: number;
  readonly volume: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
  readonly durability: Readonly<Record<string, string>>;
  readonly tasks: readonly Compared[];
  readonly requests: readonly Compared[];
  readonly verified: number;
  readonly differences: readonly string[];
  readonly minutes: number;
}

/** Shows all comparisons in one table, and whether each judged ratio is at most 1.3. */
export function report(measured: Measured): Figures {
  const rows = [...measured.tasks, ...measured.requests].map((compared) => ({ ...compared, ...judge(compared) }));
  const above = rows.filter(({ judged }) => judged === 'above').map(({ what }) => what);
  const gigabytes = Object.entries(measured.bytes).map(([name, bytes]) => `${name} ${(bytes / 1e9).toFixed(2)}`);
  const volume = Object.entries(measured.volume).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  const isWhole = measured.differences.length === 0;
  const lines = [
    `${volume.join(', ')}; seed ${measured.seed}; ${measured.minutes.toFixed(0)} min, load ${(os.loadavg()[0] ?? 0).toFixed(1)}, fsync ${measured.durability.fsync}`,
    `GB: ${gigabytes.join(', ')}`,
    table(
      ['what', 'empty p50 ms', 'p95', 'history p50 ms', 'p95', 'ratio', 'n', ''],
      rows.map((row) => [
        row.what,
        ...[row.emptyP50, row.emptyP95, row.historyP50, row.historyP95].map((ms) => ms.toFixed(1)),
        row.ratio.toFixed(2),
        Math.min(row.empty.length, row.history.length),
        row.judged === 'above' ? 'ABOVE' : (row.notJudged ?? ''),
      ]),
    ),
    isWhole
      ? `ces ledger verify, ${measured.verified} subscriptions: no difference.`
      : `ces ledger verify, ${measured.verified} subscriptions: ${measured.differences.length} differences, such as ${measured.differences[0]}`,
    above.length === 0
      ? 'Every ratio is within 1.3 (or less than a millisecond apart).'
      : `Above 1.3: ${above.join('; ')}.`,
  ];
  const shown = rows.map(({ empty: _, history: __, ...row }) => row);
  return { json: { ...measured, tasks: undefined, requests: undefined, rows: shown, above }, text: lines.join('\n\n') };
}
