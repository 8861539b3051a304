import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAuthority } from '../../../support/certificates.ts';
import { apply, applyFile, list, read } from '../kubectl.ts';
import type { UnderCalls } from '../product/load.ts';
import { NAMESPACE, type Product } from '../product/product.ts';
import { writeCertificate, writeSecret } from '../product/secret.ts';
import { until } from '../until.ts';

const MANIFEST = path.join(import.meta.dirname, '../manifests/nats-cluster.yaml');
const VALUES = path.join(import.meta.dirname, '../manifests/nats-values.yaml');
const READY_WITHIN_MS = 180_000;
const AWAY_MS = 30_000;
const SERVERS = ['nats-0', 'nats-1', 'nats-2'];
const STATEFUL_SET = '/apis/apps/v1/namespaces/nats/statefulsets/nats';

/**
 * The broker stores nothing billable, so its partial or total loss may delay calls but fail none.
 */
export async function tryBroker(product: Product, noneFails: UnderCalls): Promise<void> {
  await noneFails('moved to NATS of three servers with accounts, TLS and three copies', async () => {
    await startServers(product);
    const flags = `--reset-then-reuse-values --values ${VALUES} --wait --timeout 10m`;
    await product.shell(`helm upgrade ces charts/ces --namespace ${NAMESPACE} ${flags}`);
    return { figures: { streams: await streams(3) } };
  });
  await noneFails('each server of NATS lost, one after the other', async () => {
    for (const server of SERVERS) {
      await product.shell(`kubectl --namespace nats delete pod ${server} --grace-period 0 --force`);
      await pause(2_000);
      await ready();
    }
    return { figures: { streams: await streams(3) } };
  });
  await noneFails('all of NATS away for half a minute', async () => {
    await scale(product, 0);
    await pause(AWAY_MS);
    await scale(product, SERVERS.length);
    return { figures: { streams: await streams(3) } };
  });
  await noneFails('all of NATS lost with its disks', async () => {
    await scale(product, 0);
    await product.shell('kubectl --namespace nats delete pvc --all');
    await scale(product, SERVERS.length);
    return { figures: { streams: await streams(3) } };
  });
}

async function startServers(product: Product): Promise<void> {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'nats' } });
  const [password, system] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  await writeSecret('nats', 'nats', { ces: `p${password}`, system: `p${system}` });
  const authority = await createAuthority();
  const domains = ['', '.nats', '.nats.svc', '.nats.svc.cluster.local'];
  const names = ['nats', ...SERVERS.map((server) => `${server}.nats-servers`)];
  const all = names.flatMap((name) => domains.map((domain) => `${name}${domain}`));
  await writeCertificate(product, 'nats', 'nats-tls', authority, all);
  await writeSecret(NAMESPACE, 'nats-ca', { 'ca.crt': authority.pem });
  await writeSecret(NAMESPACE, 'nats-access', { password: `p${password}` });
  await applyFile(MANIFEST);
  await ready();
}

async function scale(product: Product, replicas: number): Promise<void> {
  await product.shell(`kubectl --namespace nats scale --replicas ${replicas} statefulset/nats`);
  if (replicas > 0) return await ready();
  await until('no server is left', READY_WITHIN_MS, async () => {
    return (await list('/api/v1/namespaces/nats/pods')).length === 0;
  });
}

async function ready(): Promise<void> {
  await until('three servers are ready', READY_WITHIN_MS, async () => {
    const { status } = await read<{ status?: { readyReplicas?: number; replicas?: number } }>(STATEFUL_SET);
    return status?.readyReplicas === SERVERS.length && status.replicas === SERVERS.length;
  });
}

interface Stream {
  readonly name: string;
  readonly config: { readonly num_replicas: number };
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly { readonly current: boolean }[] };
}

async function streams(copies: number): Promise<number> {
  let found: readonly Stream[] = [];
  await until('every stream has its copies', READY_WITHIN_MS, async () => {
    const all = (await Promise.all(SERVERS.map(streamsAt))).flat();
    // Only the leader of a stream knows the lag of its replicas.
    found = all.filter(({ at, cluster }) => cluster?.leader === at);
    return (
      found.length > 0 &&
      found.length === new Set(all.map(({ name }) => name)).size &&
      found.every(
        ({ config, cluster }) =>
          config.num_replicas === copies &&
          (cluster?.replicas ?? []).filter(({ current }) => current).length === copies - 1,
      )
    );
  });
  return found.length;
}

async function streamsAt(at: string) {
  const url = `/api/v1/namespaces/nats/pods/${at}:8222/proxy/jsz?accounts=true&streams=true&config=true`;
  const { account_details: accounts = [] } = await read<{ account_details?: { stream_detail?: Stream[] }[] }>(url);
  return accounts.flatMap(({ stream_detail: own = [] }) => own).map((stream) => ({ at, ...stream }));
}
