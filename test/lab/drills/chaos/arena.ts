import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import type { Random } from '../../../support/random.ts';
import type { FaultWindow } from '../../checks/faults.ts';
import { type Cluster, startCluster } from '../../cluster/cluster.ts';
import { type Attempt, isAnswered } from '../../load/attempt.ts';
import { type Evidence, populate } from '../../load/evidence.ts';
import { type Account, AMPLE, createAccount, createTestAccount } from '../../load/subscribers.ts';

export interface Arena extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly evidence: Evidence;
  readonly accounts: readonly Account[];
  /** In test mode, so that its searches can be made to fail. The load does not use it. */
  readonly failing: Account;
  readonly clients: number;
  /** Accumulate over trials, so that a check also detects damage to earlier trials. */
  readonly attempts: Attempt[];
  readonly faultWindows: FaultWindow[];
}

export interface ArenaOptions {
  readonly clients: number;
  readonly operations: number;
  readonly gateways: number;
  readonly random: Random;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Short, so that every deadline passes within a trial. */
export const SHORT_TIMES = {
  CES_OPERATIONS_PENDING_MS: '5000',
  CES_OPERATIONS_PROCESSING_MS: '15000',
  CES_OPERATIONS_LEASE_MS: '2000',
  CES_OPERATIONS_HEARTBEAT_MS: '500',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '500',
};

/** One of three accounts is always near its limits. */
const SCARCE = { ...AMPLE, windowSeconds: 2n, windowRequestUnits: 6n, windowDeliveredUnits: 18n };

export async function startArena(options: ArenaOptions): Promise<Arena> {
  await using cleanup = new AsyncDisposableStack();
  const settings = { ...SHORT_TIMES, ...NO_FLOOD_LIMITS, ...options.settings };
  const cluster = cleanup.use(await startCluster({ ...options, settings }));
  const { evidence, ledger } = await populate(cluster);
  const accounts = [
    await createAccount(ledger, AMPLE, 2),
    await createAccount(ledger, AMPLE, 2),
    await createAccount(ledger, SCARCE, 2),
  ];
  const failing = await createTestAccount(ledger);
  const kept = cleanup.move();
  return {
    cluster,
    evidence,
    accounts,
    failing,
    clients: options.clients,
    attempts: [],
    faultWindows: [],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export function countsOf({ cluster, attempts }: Arena) {
  const parts = [...cluster.services, cluster.servers.postgres, cluster.servers.nats];
  const statuses: Record<string, number> = {};
  for (const attempt of attempts) {
    const name = isAnswered(attempt) ? String(attempt.outcome.status) : 'lost';
    statuses[name] = (statuses[name] ?? 0) + 1;
  }
  return {
    calls: attempts.length,
    statuses,
    operations: new Set(attempts.filter(isAnswered).flatMap(({ outcome }) => outcome.body.usage?.id ?? [])).size,
    kills: parts.reduce((sum, part) => sum + part.kills, 0),
    crashes: parts.reduce((sum, part) => sum + part.crashes, 0),
    answersLost: cluster.answersLost(),
  };
}
