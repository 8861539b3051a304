import os from 'node:os';
import { count, table } from '@ces/cli/output/table';
import type { Figures } from '../../support/bench.ts';
import { percentile } from '../../support/figures.ts';
import type { Crowd } from './crowd.ts';
import type { Added } from './feed.ts';
import type { OwnEngines } from './own-engine.ts';
import type { Answers } from './questions.ts';

export interface OwnSeen
  extends Pick<OwnEngines, 'name' | 'loadedAfterSeconds' | 'loadedFromFileSeconds' | 'serviceBytes' | 'bytes'> {
  readonly rpc: string;
  /** Observations that the first fill wrote a second. Undefined if an earlier run filled it. */
  readonly filledPerSecond: number | undefined;
  readonly crowds: readonly Crowd[];
  readonly arrivedPerSecond: number;
  readonly serverBytes: number | undefined;
  readonly added: Added;
}

export function report(size: number, answers: readonly Answers[], own: readonly OwnSeen[]): Figures {
  const load = os.loadavg()[0] ?? 0;
  const shown = own.map(({ crowds, ...rest }) => ({ ...rest, crowds: crowds.map((one) => shownCrowd(one)) }));
  const rows = answers.map(({ times, processor, ...rest }) => ({
    ...{ ...rest, ...spread(times) },
    processor: spread(processor),
  }));
  const heading = `${count(size)} observations; load average ${load.toFixed(1)}`;
  const texts = [heading, answersTable(answers), ...own.map((one) => ownText(one, answers))];
  return { json: { size, load, rows, own: shown }, text: texts.join('\n\n') };
}

export function answersTable(answers: readonly Answers[]): string {
  const rows = answers.map(({ within, engine, times, processor }) => [
    ...[within, engine, ...inMilliseconds(spread(times))],
    ...inMilliseconds(spread(processor)).slice(0, 2),
  ]);
  return table(['filters', 'engine', 'p50 ms', 'p95 ms', 'p99 ms', 'processor p50', 'processor p95'], rows);
}

function shownCrowd({ within, name, times, failed, seconds }: Crowd) {
  return { within, name, failed, per_second: times.length / seconds, ...spread(times) };
}

function ownText(own: OwnSeen, answers: readonly Answers[]): string {
  const { name, rpc, filledPerSecond, serverBytes, bytes, added, arrivedPerSecond } = own;
  const filled = filledPerSecond === undefined ? 'kept' : `filled at ${count(Math.round(filledPerSecond))}/s`;
  const memory = serverBytes === undefined ? 'not known' : mebibytes(serverBytes);
  const rows = own.crowds.map((crowd) => [
    ...[crowd.within, crowd.name, (crowd.times.length / crowd.seconds).toFixed(1)],
    ...inMilliseconds(spread(crowd.times)),
    timesOfOne(answers, rpc, crowd).toFixed(1),
    crowd.failed,
  ]);
  return [
    `${name}: ${filled}, ${mebibytes(bytes)} on disk, memory of its server ${memory}`,
    `added to the full index ${count(Math.round(added.perSecond))}/s, ${added.processorMs.toFixed(2)} ms of processor time each`,
    `the service answered after ${loadText(own)} and took ${mebibytes(own.serviceBytes)}, its code left out`,
    `${rpc} while ${arrivedPerSecond.toFixed(0)} observations a second arrive`,
    table(['filters', 'clients', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'times p95 of one', 'failed'], rows),
  ].join('\n');
}

function loadText({ loadedAfterSeconds: first, loadedFromFileSeconds: again }: OwnSeen): string {
  const text = `${first.toFixed(1)} s`;
  return again === undefined
    ? text
    : `${text}, ${again.toFixed(1)} s with a file of its index (${(first / again).toFixed(1)} times as fast),`;
}

function spread(values: readonly number[]) {
  return { p50_ms: percentile(values, 0.5), p95_ms: percentile(values, 0.95), p99_ms: percentile(values, 0.99) };
}

/** Shows two decimals below 1 ms. */
function inMilliseconds({ p50_ms, p95_ms, p99_ms }: ReturnType<typeof spread>): string[] {
  return [p50_ms, p95_ms, p99_ms].map((value) => value.toFixed(value < 1 ? 2 : 1));
}

/** The p95 of a crowd divided by the p95 of a single client of the same run. */
function timesOfOne(answers: readonly Answers[], rpc: string, { within, times }: Crowd): number {
  const one = answers.find((row) => row.within === within && row.engine === rpc);
  return one ? percentile(times, 0.95) / percentile(one.times, 0.95) : Number.NaN;
}

function mebibytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_048_576))} MiB`;
}
