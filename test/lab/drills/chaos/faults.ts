import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPoint } from '@ces/operations/crash-points';
import type { ProxyFault } from '../../../support/faulty-proxy.ts';
import type { Random } from '../../../support/random.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Part } from '../../cluster/part.ts';
import { search } from '../../load/client.ts';
import type { Account } from '../../load/subscribers.ts';

export interface Fault {
  readonly name: string;
  readonly promise: string;
  /** Resolves with the effect. Undefined means no effect, so the trial does not count. */
  readonly run: (cluster: Cluster, random: Random) => Promise<string | undefined>;
}

const SERVICES = ['ledger', 'lookup', 'search', 'acquisition', 'operations', 'gateway'];
const EDGES = [
  ...['ledger-postgres', 'lookup-postgres', 'search-postgres', 'operations-postgres', 'acquisition-postgres', 'broker'],
  ...['gateway-ledger', 'gateway-operations', 'gateway-lookup', 'search-lookup'],
  ...['operations-ledger', 'operations-search', 'operations-lookup'],
];
const SLOW_EDGES = ['operations-ledger', 'operations-search', 'operations-lookup', 'gateway-operations'];
const CRASH_POINTS: readonly CrashPoint[] = [
  ...(['accept.inserted', 'accept.reserved', 'run.begun', 'run.searched', 'run.before_stored', 'run.stored'] as const),
  ...(['settle.before', 'settle.after', 'deliver.before_marked', 'charge.before_insert', 'charge.inserted'] as const),
  ...(['charge.replied', 'outbox.published', 'withdraw.marked', 'withdraw.released'] as const),
  ...(['sweep.before_release', 'sweep.after_release'] as const),
];

/** Longer than the lease of a run. */
const ZOMBIE_MS = 6_000;
/** Every service that lost connections answers again within this time. */
const LOST_MS = 15_000;
/** Delivery stops for this long, because consumers take messages at once and none could be lost. */
const GATHERED_MS = 4_000;
const FIVE_MINUTES_MS = 300_000;
const DAY_MS = 86_400_000;
const CRASHED_WITHIN_MS = 30_000;
/** Crashes at a random passage up to this one, so that it is not always the first call. */
const PASSAGES = 3;
/**
 * High enough that reservations fail after their retries, and low enough that some withdrawals
 * succeed.
 */
const LOST_FOR_WITHDRAWAL = 0.7;
const SLOW_RUN_MS = 2_500;
/** A resumed process notices within this time that it lost its leases. */
const NOTICED_WITHIN_MS = 4_000;

/** `failing` is a test-mode account, whose searches can be made to fail. */
export function faultsOf(failing: () => Account): readonly Fault[] {
  return [
    ...SERVICES.map(
      (service): Fault => ({
        name: `kill ${service}`,
        promise: 'R2',
        run: async (cluster, random) => {
          const part = processOf(cluster, service, random);
          return (await killFor(part, random.below(1_500))) ? part.name : undefined;
        },
      }),
    ),
    {
      name: 'crash point',
      promise: 'R2',
      run: (cluster, random) => crashAt(cluster, random, random.pick(CRASH_POINTS), failing),
    },
    onEdge('answers of ledger lost', 'R3', ['operations-ledger'], { kind: 'drop', probability: 0.5 }, 6_000),
    onEdge('answers of operations lost', 'R3', ['gateway-operations'], { kind: 'drop', probability: 0.3 }, 6_000),
    {
      name: 'kill nats',
      promise: 'R7',
      run: async ({ servers }, random) => ((await killFor(servers.nats, random.below(3_000))) ? '' : undefined),
    },
    {
      name: 'lose all streams',
      promise: 'R7',
      run: async ({ servers }) => {
        const { kills } = servers.nats;
        await servers.loseStreams();
        return servers.nats.kills > kills ? '' : undefined;
      },
    },
    {
      name: 'newest block of messages cut in half',
      promise: 'R7',
      run: async (cluster) => {
        await disturb(cluster, 'broker', { kind: 'silence' }, GATHERED_MS);
        return await cluster.servers.truncateNewestBlock();
      },
    },
    onEdge('broker half open', 'R7', ['broker'], { kind: 'half open' }, 10_000),
    {
      name: 'nats off',
      promise: 'R8',
      run: async ({ servers }, random) => {
        const ms = 20_000 + random.below(25_000);
        return (await killFor(servers.nats, ms)) ? `for ${Math.round(ms / 1_000)} s` : undefined;
      },
    },
    onEdge('broker silent', 'R8', ['broker'], { kind: 'silence' }, 8_000),
    {
      name: 'stopped worker',
      promise: 'R9',
      run: (cluster, random) =>
        losingLeases(cluster, random, async (part) => {
          part.signal('SIGSTOP');
          await pause(ZOMBIE_MS);
          part.signal('SIGCONT');
        }),
    },
    {
      name: 'database half open',
      promise: 'R9',
      run: (cluster, random) =>
        losingLeases(cluster, random, ({ name }) =>
          disturb(cluster, 'operations-postgres', { kind: 'half open' }, ZOMBIE_MS, name),
        ),
    },
    onEdge('connections lost', 'R29', EDGES, { kind: 'lost' }, LOST_MS),
    { name: 'shifted clock', promise: 'R6', run: shiftClock },
    {
      name: 'kill postgres',
      promise: 'R18',
      run: async ({ servers }, random) => ((await killFor(servers.postgres, random.below(1_000))) ? '' : undefined),
    },
    onEdge('slow answers', 'R22', SLOW_EDGES, { kind: 'delay', ms: 1_500 }, 5_000),
  ];
}

function onEdge(name: string, promise: string, edges: readonly string[], fault: ProxyFault, ms: number): Fault {
  return { name, promise, run: (cluster, random) => disturb(cluster, random.pick(edges), fault, ms) };
}

async function disturb(cluster: Cluster, edge: string, fault: ProxyFault, ms: number, caller?: string) {
  const proxies = cluster.proxiesOf(edge, caller);
  if (proxies.length === 0) throw new Error(`there is no edge ${edge}`);
  for (const proxy of proxies) proxy.fault = fault;
  await pause(ms);
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  return edge;
}

/** Kills a part for `downMs`. Returns false if it was already down. */
async function killFor(part: Part, downMs: number): Promise<boolean> {
  const { kills } = part;
  const back = pause(downMs);
  await part.kill(back);
  await back;
  await part.untilUp();
  return part.kills > kills;
}

function processOf({ services }: Cluster, name: string, random: Random) {
  return random.pick(services.filter((part) => part.name.startsWith(`${name}-`)));
}

/**
 * Ends a process of operations by SIGKILL at a point, and provokes points that load rarely reaches.
 * Lost answers of the ledger cause withdrawals, and searches of the failing account cause failures.
 */
async function crashAt(cluster: Cluster, random: Random, point: CrashPoint, failing: () => Account) {
  const part = processOf(cluster, 'operations', random);
  const { crashes } = part;
  const ledger = cluster.proxiesOf('operations-ledger', part.name);
  const isSeldom = /^(withdraw|sweep|outbox)\./.test(point);
  await cluster.arm(part, isSeldom ? point : `${point}:${1 + random.below(PASSAGES)}`);
  if (point.startsWith('withdraw.'))
    for (const proxy of ledger) proxy.fault = { kind: 'drop', probability: LOST_FOR_WITHDRAWAL };
  const until = performance.now() + CRASHED_WITHIN_MS;
  for (; part.crashes === crashes && performance.now() < until; await pause(50))
    if (point.startsWith('sweep.')) await failSearches(cluster, random, failing());
  for (const proxy of ledger) proxy.fault = { kind: 'none' };
  if (part.crashes === crashes && (await cluster.disarm(part))) return undefined;
  await part.untilUp();
  return `${part.name} at ${point}`;
}

async function failSearches({ gateways }: Cluster, random: Random, { accountId, tokens }: Account): Promise<void> {
  const fail = (baseUrl: string, at: number) =>
    search(
      { baseUrl, surface: 'rest', token: tokens[0] ?? '', accountId },
      { query: 'sandbox:failed' },
      `fails-${at}-${random.below(1_000_000_000)}`,
    );
  await Promise.all(gateways.map(fail));
}

async function shiftClock(cluster: Cluster, random: Random): Promise<string> {
  const part = random.pick(cluster.services);
  const ms = random.pick([-DAY_MS, -FIVE_MINUTES_MS, FIVE_MINUTES_MS, DAY_MS]);
  await cluster.restartWith(part, {
    NODE_OPTIONS: `--import ${path.join(import.meta.dirname, '../../../support/allowance/shift-clock.ts')}`,
    CES_TEST_CLOCK_SHIFT_MS: String(ms),
  });
  return `${part.name} by ${ms} ms`;
}

/** Counts the leases that a process of operations reports as lost. Undefined if it had no run. */
async function losingLeases(cluster: Cluster, random: Random, fault: (part: Part) => Promise<unknown>) {
  const part = processOf(cluster, 'operations', random);
  const proxies = cluster.proxiesOf('operations-search', part.name);
  const before = await leasesLost(cluster, part.name);
  for (const proxy of proxies) proxy.fault = { kind: 'delay', ms: SLOW_RUN_MS };
  await pause(SLOW_RUN_MS + 100);
  await fault(part);
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  let lost = 0;
  for (const until = performance.now() + NOTICED_WITHIN_MS; lost === 0 && performance.now() < until; await pause(200))
    lost = (await leasesLost(cluster, part.name)) - before;
  return lost > 0 ? `${part.name}, ${lost} leases` : undefined;
}

async function leasesLost({ servers }: Cluster, name: string): Promise<number> {
  const log = await readFile(path.join(servers.directory, `${name}.log`), 'utf8');
  return log.split('"lease lost"').length - 1;
}
