import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { list, table } from '@ces/cli/output/table';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { type Figures, goOn, runBenchmark } from '../support/bench.ts';
import { processorSeconds } from '../support/processor-time.ts';
import { medianRate, type Rate, rateOf } from '../support/rate.ts';
import { type Call, WAYS, type Way } from './rpc/clients.ts';
import { identityCosts } from './rpc/identity.ts';
import { HYDRATE, RESERVE } from './rpc/messages.ts';
import type { Started } from './rpc/server.ts';

const USAGE = 'npm run lab -- rpc [--seconds N] [--rounds N] [--clients 1,64] [--only TEXT] [--json FILE]';

const { values: options } = readArguments(USAGE, {
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  clients: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string' },
});
const seconds = atLeastOne(options.seconds, 3);
const rounds = atLeastOne(options.rounds, 3);
const clients = (options.clients ?? '1,64').split(',').map((text) => atLeastOne(text, 1));

/** All ways, or those whose names begin so. */
const ways = Object.entries(WAYS).filter(([way]) => way.startsWith(options.only ?? ''));

/** The calls, by what they stand for. */
const CALLS: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
  reserve: (call) => call(RESERVE.method, RESERVE.request),
  hydrate: (call) => call(HYDRATE.method, HYDRATE.request),
};

/** Processor time of one call, in milliseconds. */
interface Measured extends Rate {
  readonly clientMs: number;
  readonly serverMs: number;
}

await runBenchmark(measure, options.json);
process.exit();

/** Every way takes its turn in every round, so that all see the same machine. */
async function measure(signal: AbortSignal): Promise<Figures> {
  const load = os.loadavg()[0] ?? 0;
  const seen = new Map<string, Measured[]>();
  for (let round = 1; round <= rounds; round += 1)
    for (const [name, way] of ways) {
      goOn(signal);
      process.stderr.write(`round ${round}  ${name}\n`);
      for (const [row, measured] of await measureWay(name, way)) seen.set(row, [...(seen.get(row) ?? []), measured]);
    }
  const medians = new Map([...seen].map(([row, measured]) => [row, medianRate(measured) as Measured]));
  return report(medians, load, await identityCosts());
}

async function measureWay(way: string, { server, connect }: Way) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('rpc/server.ts', import.meta.url)), server], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started] = (await once(child, 'message')) as [Started];
  const pid = child.pid ?? 0;
  const call = connect(started);
  const rows: [string, Measured][] = [];
  for (const [name, make] of Object.entries(CALLS))
    for (const count of clients) {
      const before = { client: processorSeconds(process.pid), server: processorSeconds(pid), at: performance.now() };
      const rate = await rateOf(count, seconds, async () => void (await make(call)));
      const done = (rate.perSecond * (performance.now() - before.at)) / 1_000;
      const clientMs = ((processorSeconds(process.pid) - before.client) * 1_000) / done;
      const serverMs = ((processorSeconds(pid) - before.server) * 1_000) / done;
      rows.push([`${name}|${count}|${way}`, { ...rate, clientMs, serverMs }]);
    }
  const ended = once(child, 'exit');
  child.kill();
  await ended;
  return rows;
}

function report(medians: ReadonlyMap<string, Measured>, load: number, identity: ReadonlyMap<string, number>): Figures {
  const rows = [...medians].toSorted().map(([row, { perSecond, p50, clientMs, serverMs }]) => {
    const [name, count, way] = row.split('|');
    const both = (clientMs + serverMs).toFixed(2);
    return [name, count, way, perSecond.toFixed(0), p50?.toFixed(2), clientMs.toFixed(2), serverMs.toFixed(2), both];
  });
  const head = ['call', 'clients', 'way', 'a second', 'p50 ms', 'client', 'server', 'both'];
  const conditions = list([
    ['medians of', `${rounds} rounds of ${seconds} s`],
    ['load average before', load.toFixed(1)],
  ]);
  const calls = `${table(head, rows)}\n(the last three: processor milliseconds of a call)`;
  const costs = table(
    ['to know the caller by', 'processor µs'],
    [...identity].map(([by, us]) => [by, us.toFixed(1)]),
  );
  return {
    json: { rounds, seconds, load, measured: Object.fromEntries(medians), identity: Object.fromEntries(identity) },
    text: `${conditions}\n\n${calls}\n\n${costs}`,
  };
}
