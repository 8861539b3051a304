import { createRpcClient } from '@ces/chassis/rpc/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ServiceProcess } from '@ces/servers/processes/service';
import { seeded } from '../../support/random.ts';
import { startCluster } from '../cluster/cluster.ts';
import type { Part } from '../cluster/part.ts';
import { type FrameCounter, startFrameCounter } from './frame-counter.ts';

/** The product in processes of its own, with what clients need to call it. */
export interface InteropServers extends AsyncDisposable {
  /** `host:port` of a process of operations, and of the ledger. */
  readonly operations: string;
  readonly ledger: string;
  /** Before two processes of operations. */
  readonly replicas: readonly [FrameCounter, FrameCounter];
  /** Before one that a client may stay connected to. */
  readonly idle: FrameCounter;
  /** A process that may be ended; another takes its place at the same address. */
  readonly ending: Part<ServiceProcess>;
  /** An account of its own. */
  subscribe(options?: { readonly testMode?: boolean; readonly windowRequestUnits?: bigint }): Promise<Subscribed>;
}

interface Subscribed {
  readonly apiKey: string;
  /** Request units that it has been charged so far. */
  readonly charged: () => Promise<number>;
}

export async function startInteropServers(): Promise<InteropServers> {
  await using cleanup = new AsyncDisposableStack();
  const settings = { CES_LOG_LEVEL: 'warn' };
  const random = seeded('interop');
  const cluster = cleanup.use(await startCluster({ gateways: 1, operations: 4, settings, random, direct: true }));
  const [operations, first, second, ending] = cluster.services.filter(({ name }) => name.startsWith('operations-'));
  if (!(operations && first && second && ending)) throw new Error('four processes of operations were asked for');
  const count = async (part: Part<ServiceProcess>) => cleanup.use(await startFrameCounter(part.current.url));
  const replicas = [await count(first), await count(second)] as const;
  const idle = await count(operations);
  const admin = createRpcClient(LedgerAdminService, {
    url: cluster.urlOf('ledger'),
    callerToken: cluster.secrets.admin_token,
    timeoutMs: 30_000,
  });
  const kept = cleanup.move();
  return {
    operations: hostOf(operations.current.url),
    ledger: hostOf(cluster.urlOf('ledger')),
    replicas,
    idle,
    ending,
    async subscribe({ testMode = false, ...ownLimits } = {}) {
      const { account } = await admin.createAccount({ name: 'interop', testMode });
      const accountId = account?.id ?? 0n;
      await admin.createSubscription({ accountId, plan: testMode ? 'builder' : 'professional', ownLimits });
      const { token } = await admin.issueCredential({ accountId, label: 'interop' });
      return { apiKey: token, charged: () => chargedUnits(cluster.gateways[0] ?? '', token) };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function hostOf(url: string): string {
  return new URL(url).host;
}

async function chargedUnits(gateway: string, apiKey: string): Promise<number> {
  const response = await fetch(`${gateway}/api/usage`, { headers: { authorization: `Bearer ${apiKey}` } });
  const report = (await response.json()) as { readonly usage: { readonly request_units: number } };
  return report.usage.request_units;
}
