import { createRpcClient } from '@ces/chassis/rpc/client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import type { ServiceProcess } from '@ces/servers/processes/service';
import { createAuthority } from '../../support/certificates.ts';
import { seeded } from '../../support/random.ts';
import { startCluster } from '../cluster/cluster.ts';
import type { Part } from '../cluster/part.ts';
import { type FrameCounter, startFrameCounter } from './frame-counter.ts';

export interface InteropServers extends AsyncDisposable {
  readonly operations: string;
  readonly ledger: string;
  readonly replicas: readonly [FrameCounter, FrameCounter];
  /** The proxy of a process to which a client may stay connected while idle. */
  readonly idle: FrameCounter;
  /** A process that a test may end. Another one replaces it at the same address. */
  readonly ending: Part<ServiceProcess>;
  readonly encrypted: string;
  readonly mutual: MutualTls;
  subscribe(options?: { readonly testMode?: boolean; readonly windowRequestUnits?: bigint }): Promise<Subscribed>;
}

interface MutualTls {
  readonly address: string;
  /** PEM files: the authority of both sides, and the caller's certificate and key. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

interface Subscribed {
  readonly apiKey: string;
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
