import os from 'node:os';
import { count, table } from '@ces/cli/output/table';
import { percentile } from '../../support/figures.ts';
import type { Filled } from '../search/fill.ts';
import { COMPARED } from '../search/questions.ts';
import type { Rebuilt, Searches } from './under-searches.ts';

export interface SeenRebuild {
  readonly size: number;
  readonly partitions: number;
  /** Empty if an earlier run filled the index. */
  readonly filled: Filled;
  readonly rebuilt: Rebuilt;
}

export function figuresOfRebuild({ size, partitions, filled, rebuilt }: SeenRebuild) {
  const { applied, switchSeconds, before, meanwhile, overlap, arrived, more, bytes } = rebuilt;
  return {
    size,
    partitions,
    load: os.loadavg()[0],
    filled_per_second: perSecond(filled),
    rebuilt_per_second: perSecond(applied),
    rebuilt_seconds: applied.seconds,
    switch_seconds: switchSeconds,
    before: spread(before),
    meanwhile: spread(meanwhile),
    overlap_50: overlap,
    arrived,
    more,
    bytes: bytes.map(Number),
  };
}

export function textOfRebuild({ size, partitions, filled, rebuilt }: SeenRebuild): string {
  const { applied, switchSeconds, before, meanwhile, overlap, arrived, more, bytes } = rebuilt;
  const rows = [
    ['filled, a second', rateText(filled)],
    ['made anew, a second', rateText(applied)],
    ['made anew in', `${applied.seconds.toFixed(0)} s`],
    ['and searched after another', `${switchSeconds.toFixed(2)} s`],
    ['searches before: p50, p95', searchesText(before)],
    ['searches meanwhile: p50, p95', searchesText(meanwhile)],
    [`overlap@${COMPARED}, before and after`, overlap?.toFixed(4)],
    ['arrived meanwhile, and more in the index', `${count(arrived)}, ${count(more)}`],
    ['on disk before, after', bytes.map((size) => `${count(Math.round(Number(size) / 1_048_576))} MiB`).join(', ')],
  ];
  const { failed } = meanwhile;
  return [
    `${count(size)} observations by ${partitions} partitions; load average ${(os.loadavg()[0] ?? 0).toFixed(1)}`,
    table(['what', 'seen'], rows),
    ...new Set(failed),
  ].join('\n\n');
}

function perSecond({ observations, seconds }: Filled): number | undefined {
  return observations > 0 ? observations / seconds : undefined;
}

function rateText(filled: Filled): string {
  const rate = perSecond(filled);
  return rate === undefined ? 'kept' : count(Math.round(rate));
}

function searchesText({ times, failed }: Searches): string {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share).toFixed(0));
  return `${p50} ms, ${p95} ms; ${failed.length} of ${times.length} failed`;
}

function spread({ times, failed }: Searches) {
  return {
    searches: times.length,
    failed: failed.length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    slowest_ms: percentile(times, 1),
  };
}
