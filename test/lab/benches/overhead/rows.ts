import { setTimeout as pause } from 'node:timers/promises';
import { table } from '@ces/cli/output/table';
import { Caller } from '../../support/caller.ts';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';
import { readCommits, readProcessorTimes, readSizes } from './costs.ts';

type Step = (caller: Caller, turn: number) => Promise<void>;

export interface Subject {
  readonly what: string;
  readonly pids: Readonly<Record<string, number>>;
  readonly step: Step;
}

export interface Row {
  readonly what: string;
  readonly clients: number;
  readonly rate: Rate;
  /** Processor ms a request, by program. */
  readonly processorMs: Readonly<Record<string, number>>;
  readonly commits: number;
  /** Growth of tables and indexes a request, by database, before any vacuum. */
  readonly bytes: Readonly<Record<string, number>>;
}

export const BARE = 'bare handler';

/** Postgres flushes the statistics of a session at most once a second. */
const WRITTEN_AFTER_MS = 1_500;

export async function measureRow(
  server: BenchServer,
  { what, pids, step }: Subject,
  clients: number,
  seconds: number,
): Promise<Row> {
  using caller = new Caller(clients);
  let turn = 0;
  const [commitsBefore, sizesBefore] = [await readCommits(server), await readSizes(server)];
  const timesBefore = readProcessorTimes(pids, server.pid);
  const rate = await rateOf(clients, seconds, () => step(caller, turn++));
  const times = readProcessorTimes(pids, server.pid);
  await pause(WRITTEN_AFTER_MS);
  const commits = (await readCommits(server)) - commitsBefore;
  const growthOf = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>, unit: number) =>
    Object.fromEntries([...after].map(([name, value]) => [name, ((value - (before.get(name) ?? 0)) * unit) / turn]));
  return {
    ...{ what, clients, rate, commits: commits / turn },
    processorMs: growthOf(times, timesBefore, 1_000),
    bytes: growthOf(await readSizes(server), sizesBefore, 1),
  };
}

export function shownRows(rows: readonly Row[]) {
  const bareOf = (clients: number) => rows.find((row) => row.what === BARE && row.clients === clients)?.rate;
  return rows.map(({ what, clients, rate, processorMs, commits, bytes }) => {
    const bare = bareOf(clients);
    const sum = Object.values(processorMs).reduce((total, ms) => total + ms, 0);
    return {
      what,
      clients,
      per_second: Math.round(rate.perSecond),
      p50_ms: round(rate.p50),
      p99_ms: round(rate.p99),
      share_of_bare: bare ? round(rate.perSecond / bare.perSecond, 3) : undefined,
      latency_multiple: bare?.p50 ? round((rate.p50 ?? 0) / bare.p50) : undefined,
      commits: round(commits),
      all_processor_ms: round(sum, 2),
      processor_ms: rounded(processorMs, 2),
      bytes: rounded(bytes, 0),
    };
  });
}

const HEADS = ['what', 'clients', 'a second', 'p50 ms', 'p99 ms', 'of bare', 'times bare p50', 'commits'];

export function rowTable(shown: ReturnType<typeof shownRows>): string {
  return table(
    [...HEADS, 'processor ms a request', 'by process', 'bytes a request'],
    shown.map((row) => [
      row.what,
      row.clients,
      row.per_second,
      row.p50_ms,
      row.p99_ms,
      row.share_of_bare,
      row.latency_multiple,
      row.commits,
      row.all_processor_ms,
      listed(row.processor_ms),
      listed(row.bytes),
    ]),
  );
}

function rounded(figures: Readonly<Record<string, number>>, digits: number): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value, digits)]));
}

function listed(figures: Readonly<Record<string, number>>): string {
  const some = Object.entries(figures).filter(([, value]) => value > 0);
  return some.map(([name, value]) => `${name} ${value}`).join(', ');
}

export function round(value: number | undefined, digits = 1): number {
  return Number((value ?? 0).toFixed(digits));
}
