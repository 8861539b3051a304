import { readFileSync } from 'node:fs';
import { table } from '@ces/cli/output/table';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { seeded } from '../../support/random.ts';
import { surface } from '../../support/subscriber.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { populate } from '../load/evidence.ts';
import { AMPLE, createAccount } from '../load/subscribers.ts';
import { atLeastOne, readArguments } from '../support/arguments.ts';
import { percentile } from '../support/figures.ts';
import { type Endpoint, endpointsOf } from './hostile/endpoints.ts';

const USAGE = 'npm run lab -- hostile [--only TEXT] [--shape TEXT] [--rounds N]';
const { values } = readArguments(USAGE, {
  only: { type: 'string' },
  shape: { type: 'string' },
  rounds: { type: 'string' },
});
/**
 * Alternating hostile and harmless calls next to another client, for the worst shape of each
 * endpoint. 0 disables it.
 */
const rounds = values.rounds === '0' ? 0 : atLeastOne(values.rounds, 20);

/** Promise S14: how much more main-thread time a hostile call may take than a harmless one. */
const MOST_MS = 50;
/**
 * Promise S14: how much another client's p99 may rise next to hostile calls, compared with harmless
 * ones.
 */
const MOST_FELT_MS = 50;
/**
 * Takes the minimum of several tries, because background work of the process is not the call's
 * fault.
 */
const TRIES = 3;
const HOPELESS_MS = 1_000;
const HARMLESS_CALLS = 15;
const SETTINGS = { ...NO_FLOOD_LIMITS, CES_ADDRESS_FAILURES_PER_SECOND: '1000000', CES_LOG_LEVEL: 'error' };

process.exitCode = await main();

/**
 * S14: measures the longest input of every hostile shape at every endpoint, tool and method, and
 * the wait of others.
 */
async function main(): Promise<number> {
  await using cluster = await startCluster({
    ...{ gateways: 1, operations: 1, settings: SETTINGS, random: seeded('hostile'), direct: true },
  });
  const { ledger } = await populate(cluster);
  const [token = '', others = ''] = (await createAccount(ledger, AMPLE, 2)).tokens;
  const gateway = cluster.gateways[0] ?? '';
  const found: Held[] = [];
  /** How much another client's p99 rose, in ms, by endpoint. */
  const felt: number[] = [];
  for (const endpoint of endpointsOf({ gateway, operations: cluster.urlOf('operations'), token })) {
    if (!endpoint.name.includes(values.only ?? '')) continue;
    const held = await heldBy(cluster, endpoint);
    const [worst] = held;
    if (!worst) continue;
    found.push(...held);
    console.log(line(worst, held.length));
    if (rounds > 0) felt.push(await leastFelt(endpoint, worst.text, surface(gateway, others).report));
  }
  const faults = found.filter(({ ms }) => ms > MOST_MS).length + felt.filter((moreMs) => moreMs > MOST_FELT_MS).length;
  const most = Math.max(0, ...felt);
  console.log(`\n${report(found)}\n`);
  console.log(`another client felt at most ${most.toFixed(1)} ms more in its p99, of ${felt.length} endpoints`);
  console.log(`${found.length} shapes, ${faults} violations`);
  return found.length > 0 && faults === 0 ? 0 : 1;
}

interface Held {
  readonly endpoint: string;
  readonly shape: string;
  readonly text: string;
  readonly process: string;
  readonly ms: number;
  readonly harmlessMs: number;
}

async function heldBy(cluster: Cluster, endpoint: Endpoint): Promise<Held[]> {
  const sendOnce = async (text: string) => {
    const before = timesOf(cluster);
    const status = await endpoint.send(text);
    if (status >= 500) throw new Error(`${endpoint.name} answered ${status} to ${text.slice(0, 200)}`);
    return timesOf(cluster).map((ms, at) => ms - (before[at] ?? 0));
  };
  const harmless: number[][] = [];
  for (let at = 0; at < HARMLESS_CALLS; at += 1) harmless.push(await sendOnce(endpoint.harmless));
  const usual = cluster.services.map((_, at) =>
    percentile(
      harmless.map((times) => times[at] ?? 0),
      0.5,
    ),
  );
  const held: Held[] = [];
  for (const { name, text } of endpoint.shapes()) {
    if (!name.includes(values.shape ?? '')) continue;
    let least: number[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const times = await sendOnce(text);
      least = times.map((ms, at) => Math.min(ms, least[at] ?? ms));
      // The result is already clear.
      if (Math.max(...least) < MOST_MS / 4 || Math.max(...least) > HOPELESS_MS) break;
    }
    const more = least.map((ms, at) => ms - (usual[at] ?? 0));
    const worst = more.indexOf(Math.max(...more));
    const process = cluster.services[worst]?.name.replace(/-1$/, '') ?? '';
    const ms = more[worst] ?? 0;
    const one = { endpoint: endpoint.name, shape: name, text, process, ms, harmlessMs: usual[worst] ?? 0 };
    held.push(one);
    if (ms > MOST_MS) console.log(`violation: ${line(one, held.length)}`);
  }
  return held.sort((a, b) => b.ms - a.ms);
}

function timesOf({ services }: Cluster): number[] {
  return services.map(({ current }) => mainThreadMs(current.pid));
}

/**
 * Processor time of a process's main thread in ms, without other processes' load. Work on this
 * thread delays all other calls of the process.
 */
function mainThreadMs(pid: number): number {
  const [ran = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}

type Report = () => Promise<{ readonly status: number }>;

/** Takes the minimum of several measurements, because with few calls one slow call is the p99. */
async function leastFelt(endpoint: Endpoint, hostile: string, report: Report): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least > MOST_FELT_MS; tries += 1)
    least = Math.min(least, await besides(endpoint, hostile, report));
  if (least > MOST_FELT_MS) console.log(`violation: another client felt ${least.toFixed(1)} ms more`);
  return least;
}

/** Alternates hostile and harmless calls while another client calls, and compares its p99. */
async function besides(endpoint: Endpoint, hostile: string, report: Report): Promise<number> {
  const felt: Record<'hostile' | 'harmless', number[]> = { hostile: [], harmless: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of ['hostile', 'harmless'] as const) {
      let over = false;
      const sent = endpoint.send(kind === 'hostile' ? hostile : endpoint.harmless).finally(() => {
        over = true;
      });
      do {
        const begun = performance.now();
        const { status } = await report();
        if (status !== 200) throw new Error(`another client got ${status}`);
        felt[kind].push(performance.now() - begun);
      } while (!over);
      await sent;
    }
  const [p99, usual] = [percentile(felt.hostile, 0.99), percentile(felt.harmless, 0.99)];
  console.log(
    `  another client beside it: p99 ${p99.toFixed(1)} ms of ${felt.hostile.length} calls, ${usual.toFixed(1)} ms of ${felt.harmless.length} beside harmless ones, ratio ${(p99 / usual).toFixed(2)}`,
  );
  return p99 - usual;
}

function line({ endpoint, shape, text, process, ms, harmlessMs }: Held, count: number): string {
  return `${endpoint}: ${count} shapes, most ${ms.toFixed(1)} ms (${process}; a harmless one ${harmlessMs.toFixed(1)} ms): ${shape}, ${text.length} characters`;
}

function report(found: readonly Held[]): string {
  const byEndpoint = Map.groupBy(found, ({ endpoint }) => endpoint);
  const rows = [...byEndpoint].map(([endpoint, held]) => {
    const [worst] = held;
    return [endpoint, held.length, worst?.shape, worst?.process, worst?.ms.toFixed(1), worst?.harmlessMs.toFixed(1)];
  });
  return table(['endpoint', 'shapes', 'worst', 'held', 'ms more', 'ms of a harmless one'], rows);
}
