import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashPoint } from '@ces/operations/crash-points';
import { search } from '../../load/client.ts';
import type { Account } from '../../load/subscribers.ts';
import { type Duration, disturb, type Fault, killFor, processOf } from './fault.ts';

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

export const CRASH_POINTS: readonly CrashPoint[] = [
  ...(['accept.inserted', 'accept.reserved', 'run.begun', 'run.searched', 'run.before_stored', 'run.stored'] as const),
  ...(['settle.before', 'settle.after', 'deliver.before_marked', 'charge.before_insert', 'charge.inserted'] as const),
  ...(['charge.replied', 'outbox.published', 'withdraw.marked', 'withdraw.released'] as const),
  ...(['sweep.before_release', 'sweep.after_release'] as const),
];

export function killService(name: string, downMs: Duration): Fault {
  return {
    name: `kill ${name}`,
    promise: 'R2',
    run: async (cluster, random) => {
      const part = processOf(cluster, name, random);
      return (await killFor(part, downMs(random))) ? part.name : undefined;
    },
  };
}

export function killPostgres(downMs: Duration): Fault {
  return {
    name: 'kill postgres',
    promise: 'R18',
    run: async ({ servers }, random) => ((await killFor(servers.postgres, downMs(random))) ? '' : undefined),
  };
}

/**
 * Ends a process of operations by SIGKILL at a point, and provokes points that load rarely reaches.
 * Lost answers of the ledger cause withdrawals, and searches of `failing`, a test-mode account,
 * cause failures.
 */
export function crashAt(point: CrashPoint, failing: () => Account): Fault {
  return {
    name: `crash at ${point}`,
    promise: 'R2',
    run: async (cluster, random) => {
      const part = processOf(cluster, 'operations', random);
      const { crashes } = part;
      const ledger = cluster.proxiesOf('operations-ledger', part.name);
      await cluster.arm(part, isSeldom(point) ? point : `${point}:${1 + random.below(PASSAGES)}`);
      if (point.startsWith('withdraw.'))
        for (const proxy of ledger) proxy.fault = { kind: 'drop', probability: LOST_FOR_WITHDRAWAL };
      for (
        const until = performance.now() + CRASHED_WITHIN_MS;
        part.crashes === crashes && performance.now() < until;
        await pause(50)
      ) {
        if (!point.startsWith('sweep.')) continue;
        const { accountId, tokens } = failing();
        const fails = (baseUrl: string, at: number) =>
          search(
            { baseUrl, surface: 'rest', token: tokens[0] ?? '', accountId },
            { query: 'sandbox:failed' },
            `fails-${at}-${random.below(1_000_000_000)}`,
          );
        await Promise.all(cluster.gateways.map(fails));
      }
      for (const proxy of ledger) proxy.fault = { kind: 'none' };
      if (part.crashes === crashes && (await cluster.disarm(part))) return undefined;
      await part.untilUp();
      return `${part.name} at ${point}`;
    },
  };
}

function isSeldom(point: CrashPoint): boolean {
  return /^(withdraw|sweep|outbox)\./.test(point);
}

export function shiftedClock(): Fault {
  return {
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
  };
}

export function loseAnswers(edge: string, probability: number, ms: number): Fault {
  return {
    name: `answers of ${edge.split('-')[1]} lost`,
    promise: 'R3',
    run: (cluster) => disturb(cluster, edge, { kind: 'drop', probability }, ms),
  };
}
