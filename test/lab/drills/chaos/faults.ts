import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPoint } from '@ces/operations/crash-points';
import type { Random } from '../../../support/random.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Part } from '../../cluster/part.ts';
import type { ProxyFault } from '../../cluster/proxy.ts';

/** What can break. It resolves when it is healed. */
export interface Fault {
  readonly name: string;
  /** The promise that it tries, by its number in services/promises.md. */
  readonly promise: string;
  readonly run: (cluster: Cluster, random: Random) => Promise<string>;
}

const FIVE_MINUTES_MS = 300_000;
const DAY_MS = 86_400_000;
/** Longer than the lease of the run, in milliseconds. */
const ZOMBIE_MS = 6_000;

/** By when every service answers again whose connections were lost, in milliseconds. */
const LOST_MS = 15_000;

const EDGES = [
  ...['ledger-postgres', 'lookup-postgres', 'search-postgres', 'operations-postgres', 'broker'],
  ...['gateway-ledger', 'gateway-operations', 'gateway-lookup', 'search-lookup'],
  ...['operations-ledger', 'operations-search', 'operations-lookup'],
];

const CRASH_POINTS: readonly CrashPoint[] = [
  ...([
    'accept.inserted',
    'accept.reserved',
    'run.claimed',
    'run.searched',
    'run.before_stored',
    'run.stored',
  ] as const),
  ...(['settle.before', 'settle.after', 'deliver.before_marked', 'charge.before_insert', 'charge.inserted'] as const),
  ...(['charge.replied', 'outbox.published', 'withdraw.marked', 'withdraw.released'] as const),
];

const SERVICES = ['ledger', 'lookup', 'search', 'operations', 'gateway'];

export const FAULTS: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      name: `kill ${service}`,
      promise: 'R2',
      run: async (cluster, random) => {
        const part = random.pick(cluster.services.filter(({ name }) => name.startsWith(`${service}-`)));
        await killFor(part, random.below(1_500));
        return part.name;
      },
    }),
  ),
  {
    name: 'crash point',
    promise: 'R2',
    run: async (cluster, random) => {
      const part = pickOperations(cluster, random);
      const crashAt = `${random.pick(CRASH_POINTS)}:${1 + random.below(10)}`;
      await cluster.arm(part, crashAt);
      return `${part.name} at ${crashAt}`;
    },
  },
  { name: 'answers of the ledger lost', promise: 'R3', run: (cluster) => breakEdge(cluster, 'operations-ledger', 0.5) },
  {
    name: 'answers of operations lost',
    promise: 'R3',
    run: (cluster) => breakEdge(cluster, 'gateway-operations', 0.3),
  },
  {
    name: 'kill nats',
    promise: 'R7',
    run: async ({ servers }, random) => {
      await killFor(servers.nats, random.below(3_000));
      return '';
    },
  },
  {
    name: 'lose all streams',
    promise: 'R7',
    run: async ({ servers }) => {
      await servers.loseStreams();
      return '';
    },
  },
  {
    name: 'newest block of messages cut in half',
    promise: 'R7',
    run: async ({ servers }) => await servers.truncateNewestBlock(),
  },
  {
    name: 'broker half open',
    promise: 'R7',
    run: (cluster) => disturb(cluster, 'broker', { kind: 'half open' }, 10_000),
  },
  {
    name: 'nats off',
    promise: 'R8',
    run: async ({ servers }, random) => {
      const ms = 20_000 + random.below(25_000);
      await killFor(servers.nats, ms);
      return `for ${Math.round(ms / 1_000)} s`;
    },
  },
  { name: 'broker silent', promise: 'R8', run: (cluster) => disturb(cluster, 'broker', { kind: 'silence' }, 8_000) },
  {
    name: 'zombie',
    promise: 'R9',
    run: async (cluster, random) => {
      const part = pickOperations(cluster, random);
      // Runs take long enough to be under way when their process stops.
      for (const proxy of cluster.proxiesOf('operations-search')) proxy.fault = { kind: 'delay', ms: 700 };
      await pause(800);
      part.signal('SIGSTOP');
      await pause(ZOMBIE_MS);
      part.signal('SIGCONT');
      for (const proxy of cluster.proxiesOf('operations-search')) proxy.fault = { kind: 'none' };
      return part.name;
    },
  },
  {
    name: 'database half open',
    promise: 'R9',
    run: async (cluster) => {
      for (const proxy of cluster.proxiesOf('operations-search')) proxy.fault = { kind: 'delay', ms: 700 };
      await pause(800);
      const edge = await disturb(cluster, 'operations-postgres', { kind: 'half open' }, ZOMBIE_MS);
      for (const proxy of cluster.proxiesOf('operations-search')) proxy.fault = { kind: 'none' };
      return edge;
    },
  },
  {
    name: 'connections lost',
    promise: 'R29',
    run: (cluster, random) => disturb(cluster, random.pick(EDGES), { kind: 'lost' }, LOST_MS),
  },
  {
    name: 'shifted clock',
    promise: 'R6',
    run: async (cluster, random) => {
      const part = random.pick(cluster.services);
      const ms = random.pick([-DAY_MS, -FIVE_MINUTES_MS, FIVE_MINUTES_MS, DAY_MS]);
      await cluster.restartWith(part, {
        NODE_OPTIONS: `--import ${path.join(import.meta.dirname, '../../cluster/shifted-clock.mjs')}`,
        CES_CHAOS_CLOCK_SHIFT_MS: String(ms),
      });
      return `${part.name} by ${ms} ms`;
    },
  },
  {
    name: 'kill postgres',
    promise: 'R18',
    run: async ({ servers }, random) => {
      await killFor(servers.postgres, random.below(1_000));
      return '';
    },
  },
  {
    name: 'slow answers',
    promise: 'R22',
    run: (cluster, random) =>
      disturb(
        cluster,
        random.pick(['operations-ledger', 'operations-search', 'operations-lookup', 'gateway-operations']),
        {
          kind: 'delay',
          ms: 1_500,
        },
        5_000,
      ),
  },
];

async function killFor(part: Part, downMs: number): Promise<void> {
  await part.kill(pause(downMs));
  await part.untilUp();
}

function breakEdge(cluster: Cluster, edge: string, probability: number): Promise<string> {
  return disturb(cluster, edge, { kind: 'drop', probability }, 6_000);
}

async function disturb(cluster: Cluster, edge: string, fault: ProxyFault, ms: number): Promise<string> {
  const proxies = cluster.proxiesOf(edge);
  for (const proxy of proxies) proxy.fault = fault;
  await pause(ms);
  for (const proxy of proxies) proxy.fault = { kind: 'none' };
  return edge;
}

function pickOperations({ services }: Cluster, random: Random) {
  return random.pick(services.filter(({ name }) => name.startsWith('operations-')));
}
