import { once } from 'node:events';
import path from 'node:path';
import type { KubernetesObject } from '../api.ts';
import { applyFile } from '../apply.ts';
import type { Release } from '../chart/release.ts';
import type { Cluster } from '../node/start.ts';
import { readSteps, type Step } from '../product/guide.ts';
import { openProduct, type Product, podsOf } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';
import { until } from '../until.ts';

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
const READY_WITHIN_MS = 300_000;
const ANSWERS_WITHIN_MS = 30_000;

/**
 * Starts the servers, follows the Kubernetes guide literally, then applies the production values
 * that fit one node.
 */
export async function tryInstall(cluster: Cluster, report: Report, parent: string): Promise<Product | undefined> {
  const product = await openProduct(cluster.api, cluster.kubeconfig, parent);
  const stood = await report.row('Postgres and NATS in pods', () => startServers(cluster));
  if (!stood) return undefined;
  const installed = await report.row('installed by the words of deploy/docs/install.md', () => follow(product));
  if (!installed) return undefined;
  const behind = await report.row('two of each program behind a proxy', async () => {
    await applyFile(cluster.api, path.join(MANIFESTS, 'proxy.yaml'));
    await product.shell(upgradeTo(CURRENT));
    await ready(cluster, 'ingress-nginx', 'proxy');
    return { figures: { pods: (await podsOf(cluster.api)).length } };
  });
  return behind ? product : undefined;
}

export const CURRENT: Release = { chart: 'charts/ces', values: path.join(MANIFESTS, 'values.yaml') };

export function upgradeTo({ chart, values }: Release, ...more: readonly string[]): string {
  return [
    `helm upgrade --install ces ${chart} --namespace ces --values ${values}`,
    ...['--wait --timeout 10m', ...more],
  ].join(' ');
}

async function startServers(cluster: Cluster): Promise<Seen> {
  await applyFile(cluster.api, path.join(MANIFESTS, 'servers.yaml'));
  await ready(cluster, 'databases', 'postgres');
  await ready(cluster, 'messaging', 'nats');
  return {};
}

export async function ready({ api }: Cluster, namespace: string, name: string): Promise<void> {
  await until(`${namespace}/${name} is ready`, READY_WITHIN_MS, async () => {
    const { body } = await api.call('GET', `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
    return ((body as KubernetesObject).status?.readyReplicas ?? 0) > 0;
  });
}

async function follow(product: Product) {
  const figures: Record<string, number> = {};
  for (const step of await readSteps()) {
    const begun = performance.now();
    await take(product, step);
    figures[`step ${step.title.slice(0, 1)}, s`] = Math.round((performance.now() - begun) / 1_000);
  }
  return { figures };
}

async function take(product: Product, { commands }: Step): Promise<void> {
  if (!commands.includes('port-forward')) {
    await product.shell(commands);
    return;
  }
  const forwarding = product.start(commands);
  try {
    // A request without an API key gets 401 from the gateway.
    await until('the gateway answers at the forwarded port', ANSWERS_WITHIN_MS, async () => {
      const response = await fetch('http://127.0.0.1:8080/api/usage').catch(() => undefined);
      return response?.status === 401;
    });
  } finally {
    forwarding.kill();
    if (forwarding.exitCode === null && forwarding.signalCode === null) await once(forwarding, 'exit');
  }
}
