import os from 'node:os';
import { count, table } from '@ces/cli/output/table';
import { percentile } from '../../support/figures.ts';
import type { Crowd } from './crowd.ts';
import type { BuiltEngine } from './engine.ts';
import type { GoingOn } from './going-on.ts';
import type { OwnEngines } from './own-engine.ts';
import { type Answers, COMPARED } from './questions.ts';

export interface Seen {
  readonly size: number;
  readonly built: readonly BuiltEngine[];
  readonly answers: readonly Answers[];
  readonly own: readonly OwnSeen[];
}

export interface OwnSeen extends Pick<OwnEngines, 'name' | 'loadedAfterSeconds' | 'serviceMemory'> {
  readonly engines: readonly [string, string, string];
  readonly crowds: readonly Crowd[];
  readonly arrivedPerSecond: number;
  readonly serverBytes: number | undefined;
  readonly goingOn: GoingOn;
}

const COMPARED_WITH = [
  'Without context: observations by the BM25 of their own texts. With context: companies by their best observation, its own BM25',
  'and 0.75 of the BM25 of the profile, those of the thousand best profiles among them, with three observations of each company.',
].join(' ');

export function figuresOf({ size, built, answers, own }: Seen) {
  return {
    size,
    load: os.loadavg()[0],
    built: built.map(({ engine, perSecond, bytes }) => ({ engine: engine.name, per_second: perSecond, bytes })),
    rows: answers.map((answer) => ({
      within: answer.within,
      engine: answer.engine,
      with_context: answer.hasContext,
      ...spread(answer.times),
      processor: spread(answer.processor),
      overlap_50: answer.overlap,
    })),
    own: own.map(({ name, engines, crowds, ...rest }) => ({
      name,
      ...rest,
      crowds: crowds.map(({ within, name: clients, times, failed, seconds }) => ({
        within,
        name: clients,
        failed,
        per_second: times.length / seconds,
        ...spread(times),
        of_one_client_p95: ofOneClient(answers, engines[2], within, times),
      })),
    })),
  };
}

export function textOf({ size, built, answers, own }: Seen): string {
  const engines = built.map(({ engine, perSecond, bytes }) => [
    engine.name,
    perSecond === undefined ? 'kept' : `${count(Math.round(perSecond))}/s`,
    mebibytes(bytes),
  ]);
  return [
    `${count(size)} observations; load average ${(os.loadavg()[0] ?? 0).toFixed(1)}; memory of this process ${mebibytes(process.memoryUsage().rss)}`,
    table(['engine', 'built', 'size'], engines),
    COMPARED_WITH,
    answersTable(answers),
    ...own.flatMap((one) => ownTexts(one, answers)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function answersTable(answers: readonly Answers[]): string {
  const rows = answers.map(({ within, engine, times, processor, overlap }) => [
    within,
    engine,
    ...inMilliseconds(spread(times)),
    ...inMilliseconds(spread(processor)).slice(0, 2),
    overlap?.toFixed(2),
  ]);
  const columns = ['filters', 'engine', 'p50 ms', 'p95 ms', 'p99 ms', 'processor p50', 'processor p95'];
  return table([...columns, `overlap@${COMPARED}`], rows);
}

function ownTexts(own: OwnSeen, answers: readonly Answers[]): string[] {
  const { name, engines, crowds, serverBytes, arrivedPerSecond, goingOn } = own;
  const rpc = engines[2];
  const rows = crowds.map(({ within, name: clients, times, failed, seconds }) => [
    within,
    clients,
    (times.length / seconds).toFixed(1),
    ...inMilliseconds(spread(times)),
    ofOneClient(answers, rpc, within, times).toFixed(1),
    failed,
  ]);
  const memory = serverBytes === undefined ? 'not known' : mebibytes(serverBytes);
  const columns = ['filters', 'clients', 'a second', 'p50 ms', 'p95 ms', 'p99 ms', 'times p95 of one', 'failed'];
  return [
    `${name}: memory of its server ${memory}; added to the full index ${count(Math.round(goingOn.perSecond))}/s, ${goingOn.processorMs.toFixed(2)} ms of processor time each`,
    serviceText(own),
    `${rpc} while ${arrivedPerSecond.toFixed(0)} observations a second arrive`,
    table(columns, rows),
  ];
}

function serviceText({ loadedAfterSeconds, serviceMemory: { live, resident } }: OwnSeen): string {
  const code = 'its code, which this process had loaded, left out';
  return `The service on it answered after ${loadedAfterSeconds.toFixed(1)} s; it took ${mebibytes(live)} of heap and buffers in use, ${mebibytes(resident)} of resident memory, ${code}`;
}

function spread(values: readonly number[]) {
  return { p50_ms: percentile(values, 0.5), p95_ms: percentile(values, 0.95), p99_ms: percentile(values, 0.99) };
}

/** Shows two decimals below 1 ms. */
function inMilliseconds({ p50_ms, p95_ms, p99_ms }: ReturnType<typeof spread>): string[] {
  return [p50_ms, p95_ms, p99_ms].map((value) => value.toFixed(value < 1 ? 2 : 1));
}

/** The p95 of a crowd divided by the p95 of a single client of the same run. */
function ofOneClient(answers: readonly Answers[], rpc: string, within: string, times: readonly number[]): number {
  const alone = answers.find((row) => row.within === within && row.engine === rpc);
  return alone ? percentile(times, 0.95) / percentile(alone.times, 0.95) : Number.NaN;
}

function mebibytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_048_576))} MiB`;
}
