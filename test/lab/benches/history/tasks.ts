import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { goOn } from '../../support/bench.ts';
import { type Compared, measureAlternately, timed } from './alternately.ts';
import type { RunningSystem, System } from './system.ts';

interface Pass {
  readonly service: string;
  readonly task: string;
  readonly begunAt: number;
  readonly ms: number;
}

export interface Pair<T> {
  readonly empty: T;
  readonly history: T;
}

const READ_EVERY_MS = 1_000;
export const DRIFT_CHECK = { service: 'ledger', task: 'reconciliation' };

/** Makes services log their passes, and run them in the turns of their own system. */
export function taskSettings(name: RunningSystem['name']): Record<string, string> {
  const preload = path.join(import.meta.dirname, 'own-turn.mjs');
  return {
    CES_LOG_LEVEL: 'debug',
    CES_LAB_TURN: name === 'empty' ? '0' : '1',
    NODE_OPTIONS: `--import=${preload}`,
  };
}

export async function readTasks(running: Pair<RunningSystem>, from: number, to: number): Promise<Compared[]> {
  const [empty, history] = await Promise.all([readPasses(running.empty), readPasses(running.history)]);
  const within = (passes: readonly Pass[]) =>
    Map.groupBy(
      passes.filter(({ begunAt }) => begunAt >= from && begunAt < to),
      ({ service, task }) => `${service}: ${task}`,
    );
  const [ofEmpty, ofHistory] = [within(empty), within(history)];
  return [...new Set([...ofEmpty.keys(), ...ofHistory.keys()])].sort().map((what) => ({
    what,
    empty: (ofEmpty.get(what) ?? []).map(({ ms }) => ms),
    history: (ofHistory.get(what) ?? []).map(({ ms }) => ms),
  }));
}

/** Waits for the first pass over the whole ledger and returns its duration in ms. */
export async function firstDriftCheck(system: System, running: RunningSystem, signal: AbortSignal): Promise<number> {
  await using ledger = await system.connect('ledger');
  for (;;) {
    goOn(signal);
    const { rows } = await ledger.query<{ ended: boolean }>('select differences is not null as ended from drift_check');
    if (rows[0]?.ended) break;
    await pause(READ_EVERY_MS, undefined, { signal });
  }
  const passes = await readPasses(running);
  return Math.max(
    ...passes
      .filter(({ service, task }) => service === DRIFT_CHECK.service && task === DRIFT_CHECK.task)
      .map(({ ms }) => ms),
  );
}

/** Sums the passes that began in the interval and the first one after it, in ms. */
export async function passesUntilAfter(
  running: RunningSystem,
  { service, task }: Pick<Pass, 'service' | 'task'>,
  [from, to]: readonly [number, number],
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    goOn(signal);
    const passes = (await readPasses(running)).filter((pass) => pass.service === service && pass.task === task);
    const last = passes.find(({ begunAt }) => begunAt >= to);
    if (last)
      return passes
        .filter(({ begunAt }) => begunAt >= from && begunAt <= last.begunAt)
        .reduce((sum, { ms }) => sum + ms, 0);
    await pause(READ_EVERY_MS, undefined, { signal });
  }
}

/** Measures the scrape of each service, which reads its gauges from the database. */
export async function measureScrapes(
  running: Pair<RunningSystem>,
  samples: number,
  signal: AbortSignal,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  const scrape = (system: RunningSystem, service: string) =>
    timed(async () => {
      const answer = await fetch(`${system.adminUrls[service]}/metrics`);
      if (!answer.ok) throw new Error(`the metrics of ${service} were answered with ${answer.status}`);
      await answer.text();
    });
  for (const service of Object.keys(running.empty.adminUrls).filter((name) => name !== 'gateway')) {
    const step = { empty: scrape(running.empty, service), history: scrape(running.history, service) };
    compared.push(await measureAlternately({ what: `${service}: gauges`, step }, samples, signal));
  }
  return compared;
}

async function readPasses({ logDirectory }: RunningSystem): Promise<Pass[]> {
  const files = (await readdir(logDirectory)).filter((name) => name.endsWith('.log'));
  const passes = await Promise.all(
    files.map(async (file) => {
      const lines = (await readFile(path.join(logDirectory, file), 'utf8')).split('\n');
      return lines.flatMap((line) => passOf(path.basename(file, '.log'), line));
    }),
  );
  return passes.flat();
}

function passOf(service: string, line: string): Pass[] {
  if (!line.includes('"pass ended"')) return [];
  const { task, duration_ms: ms, time } = JSON.parse(line) as { task: string; duration_ms: number; time: string };
  return [{ service, task, begunAt: new Date(time).getTime() - ms, ms }];
}
