import os from 'node:os';
import { table } from '@ces/cli/output/table';
import pg from 'pg';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { startBenchServer } from '../support/server.ts';
import { Caller } from './overhead/caller.ts';
import { readProcessorTimes } from './overhead/costs.ts';
import { startService } from './overhead/service.ts';

const USAGE = 'npm run lab -- sizes [--calls N] [--clients N] [--json FILE]';
const CALLS = 600;
const CLIENTS = 8;

const { values: options } = readArguments(USAGE, {
  calls: { type: 'string' },
  clients: { type: 'string' },
  json: { type: 'string' },
});

await runBenchmark(measure, options.json);

interface Row {
  readonly what: string;
  /** Growth of tables and indexes a call, by database. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Processor ms a call, by program. */
  readonly processorMs: Readonly<Record<string, number>>;
}

/** Measures disk growth and processor time a call, for capacity planning. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const calls = atLeastOne(options.calls, CALLS);
  const clients = atLeastOne(options.clients, CLIENTS);
  const load = os.loadavg()[0] ?? 0;
  await using server = await startBenchServer();
  await using service = await startService(server, undefined, signal);
  const urls = [...server.databases].map(([name, { ownerUrl }]) => [name, ownerUrl] as const);
  const take = async (what: string, step: (caller: Caller, turn: number) => Promise<void>): Promise<Row> => {
    using caller = new Caller(clients);
    // Warms up: excludes one-time processes and pages.
    for (let turn = 0; turn < clients; turn += 1) await step(caller, turn);
    const [sizes, times] = [await sizesOf(urls), readProcessorTimes(service.pids, server.pid)];
    let turn = 0;
    const work = async () => {
      while (turn < calls) {
        goOn(signal);
        turn += 1;
        await step(caller, turn);
      }
    };
    await Promise.all(Array.from({ length: clients }, work));
    const after = await sizesOf(urls);
    const spent = readProcessorTimes(service.pids, server.pid);
    return {
      what,
      bytes: Object.fromEntries([...after].map(([name, bytes]) => [name, (bytes - (sizes.get(name) ?? 0)) / calls])),
      processorMs: Object.fromEntries(
        [...spent].map(([name, seconds]) => [name, ((seconds - (times.get(name) ?? 0)) * 1_000) / calls]),
      ),
    };
  };
  const rows = [await take('look-up', service.lookUp), await take('search', service.search)];
  return { json: { calls, clients, load, rows }, text: rows.map((row) => textOf(row)).join('\n\n') };
}

async function sizesOf(urls: readonly (readonly [string, string])[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [name, connectionString] of urls) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query<{ bytes: string }>(
      `select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    found.set(name, Number(rows[0]?.bytes ?? 0));
    await client.end();
  }
  return found;
}

function textOf({ what, bytes, processorMs }: Row): string {
  const names = [...new Set([...Object.keys(processorMs), ...Object.keys(bytes)])];
  const cells = names.map((name) => [name, format(processorMs[name]), format(bytes[name])]);
  return table([`${what}: program`, 'processor ms', 'bytes of its database'], cells);
}

function format(figure: number | undefined): string {
  return figure === undefined ? '' : figure.toFixed(figure < 10 ? 2 : 0);
}
