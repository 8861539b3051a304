import os from 'node:os';
import { count, table } from '@ces/cli/output/table';
import { percentile } from '../../support/figures.ts';
import type { Crowd } from './crowd.ts';
import type { BuiltEngine } from './engine.ts';
import type { GoingOn } from './going-on.ts';
import { type Answers, COMPARED } from './questions.ts';

/** All that one run saw. */
export interface Seen {
  readonly size: number;
  readonly built: readonly BuiltEngine[];
  readonly answers: readonly Answers[];
  readonly own: readonly OwnSeen[];
}

/** What one of the service's own engines did beyond answering one query after the other. */
export interface OwnSeen {
  readonly name: string;
  /** Name of its engine that answers over RPC. */
  readonly rpc: string;
  readonly crowds: readonly Crowd[];
  /** Observations a second while the crowds searched. */
  readonly arrivedPerSecond: number;
  /** Memory of its server; undefined where that is on another machine. */
  readonly serverBytes: number | undefined;
  readonly goingOn: GoingOn;
}

/** The same for machines. */
export function figuresOf({ size, built, answers, own }: Seen) {
  return {
    size,
    load: os.loadavg()[0],
    built: built.map(({ engine, perSecond, bytes }) => ({ engine: engine.name, per_second: perSecond, bytes })),
    rows: answers.map(({ within, engine, times, processor, overlap }) => ({
      within,
      engine,
      ...spread(times),
      processor: spread(processor),
      overlap_50: overlap,
    })),
    own: own.map(({ name, rpc, crowds, ...rest }) => ({
      name,
      ...rest,
      crowds: crowds.map(({ within, name: clients, times, failed, seconds }) => ({
        within,
        name: clients,
        failed,
        per_second: times.length / seconds,
        ...spread(times),
        of_one_client_p95: ofOneClient(answers, rpc, within, times),
      })),
    })),
  };
}

/** For people. */
export function textOf({ size, built, answers, own }: Seen): string {
  const engines = built.map(({ engine, perSecond, bytes }) => [
    engine.name,
    perSecond === undefined ? 'kept' : `${count(Math.round(perSecond))}/s`,
    mebibytes(bytes),
  ]);
  return [
    `${count(size)} observations; load average ${(os.loadavg()[0] ?? 0).toFixed(1)}; memory of this process ${mebibytes(process.memoryUsage().rss)}`,
    table(['engine', 'built', 'size'], engines),
    answersTable(answers),
    ...own.flatMap((one) => ownTexts(one, answers)),
  ].join('\n\n');
}

function ownTexts({ name, rpc, crowds, serverBytes, arrivedPerSecond, goingOn }: OwnSeen, answers: readonly Answers[]) {
  const rows = crowds.map(({ within, name: clients, times, failed, seconds }) => [
    within,
    clients,
    (times.length / seconds).toFixed(1),
    ...inTenths(spread(times)),
    ofOneClient(answers, rpc, within, times).toFixed(1),
    failed,
  ]);
  const memory = serverBytes === undefined ? 'not known' : mebibytes(serverBytes);
  return [
    `${name}: memory of its server ${memory}; added to the full index ${count(Math.round(goingOn.perSecond))}/s, ${goingOn.processorMs.toFixed(2)} ms of processor time each`,
    `${rpc} while ${arrivedPerSecond.toFixed(0)} observations a second arrive`,
    table(['filters', 'clients', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'times p95 of one', 'failed'], rows),
  ];
}

/** What the engines did, as it stands. */
export function answersTable(answers: readonly Answers[]): string {
  const rows = answers.map(({ within, engine, times, processor, overlap }) => [
    within,
    engine,
    ...inTenths(spread(times)),
    ...inTenths(spread(processor)).slice(0, 2),
    overlap?.toFixed(2),
  ]);
  return table(
    ['filters', 'engine', 'p50 ms', 'p95 ms', 'p99 ms', 'processor p50', 'processor p95', `overlap@${COMPARED}`],
    rows,
  );
}

function spread(values: readonly number[]) {
  return { p50_ms: percentile(values, 0.5), p95_ms: percentile(values, 0.95), p99_ms: percentile(values, 0.99) };
}

function inTenths({ p50_ms, p95_ms, p99_ms }: ReturnType<typeof spread>): string[] {
  return [p50_ms, p95_ms, p99_ms].map((value) => value.toFixed(1));
}

/** The p95 of a crowd in terms of that of a single client in the same run. */
function ofOneClient(answers: readonly Answers[], rpc: string, within: string, times: readonly number[]): number {
  const alone = answers.find((row) => row.within === within && row.engine === rpc);
  return alone ? percentile(times, 0.95) / percentile(alone.times, 0.95) : Number.NaN;
}

function mebibytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_048_576))} MiB`;
}
