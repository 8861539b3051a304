import { createRpcClient } from '@ces/chassis/rpc/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ServiceProcess } from '@ces/servers/processes/service';
import { createAuthority } from '../../support/certificates.ts';
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
  /** Address of one that serves TLS. */
  readonly encrypted: string;
  /** One that takes calls with a certificate alone. */
  readonly mutual: MutualTls;
  /** An account of its own. */
  subscribe(options?: { readonly testMode?: boolean; readonly windowRequestUnits?: bigint }): Promise<Subscribed>;
}

interface MutualTls {
  /** `host:port`. */
  readonly address: string;
  /** PEM files: whom both sides trust, and what a caller may show. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
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
  const cluster = cleanup.use(await startCluster({ gateways: 1, operations: 6, settings, random, direct: true }));
  const all = cluster.services.filter(({ name }) => name.startsWith('operations-'));
  const [operations, first, second, ending, encrypted, mutual] = all;
  if (!(operations && first && second && ending && encrypted && mutual))
    throw new Error('six processes of operations were asked for');
  const files = await (await createAuthority()).issue(cluster.servers.directory, ['127.0.0.1']);
  const certificate = { CES_RPC_TLS_CERT_FILE: files.certFile, CES_RPC_TLS_KEY_FILE: files.keyFile };
  await cluster.restartWith(encrypted, certificate);
  await cluster.restartWith(mutual, { ...certificate, CES_RPC_TLS_CA_FILE: files.caFile });
  const count = async (part: Part<ServiceProcess>) => cleanup.use(await startFrameCounter(part.current.url));
  const replicas = [await count(first), await count(second)] as const;
  const idle = await count(operations);
  const admin = createRpcClient(LedgerAdminService, {
    url: cluster.urlOf('ledger'),
    callerToken: cluster.secrets.admin_token,
    reason: 'a drill',
    timeoutMs: 30_000,
  });
  const kept = cleanup.move();
  return {
    operations: hostOf(operations.current.url),
    ledger: hostOf(cluster.urlOf('ledger')),
    replicas,
    idle,
    ending,
    encrypted: encrypted.current.url,
    mutual: {
      address: hostOf(mutual.current.url),
      authority: files.caFile,
      certificate: files.certFile,
      key: files.keyFile,
    },
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
