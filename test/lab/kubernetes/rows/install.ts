import { once } from 'node:events';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import type { Release } from '../chart/release.ts';
import { forward } from '../forward.ts';
import { applyFile, type KubernetesObject, read } from '../kubectl.ts';
import { readSteps, type Step } from '../product/guide.ts';
import { openProduct, type Product, podsOf } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';
import { until } from '../until.ts';

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
const READY_WITHIN_MS = 300_000;
const ANSWERS_WITHIN_MS = 30_000;

/**
 * Starts the servers, follows the Kubernetes guide literally, then applies the production values
 * that fit one node. `isLoaded` leaves out the step that builds and loads the image.
 */
export async function tryInstall(
  report: Report,
  parent: string,
  isLoaded: boolean,
  cleanup: AsyncDisposableStack,
): Promise<Product | undefined> {
  if (!(await report.row('Postgres and NATS in pods', startServers))) return undefined;
  const postgres = cleanup.use(await forward('databases', 'service/postgres', 5432));
  const guided = await openProduct(parent, { postgresPort: postgres.port });
  const isInstalled = await report.row('installed by the words of deploy/docs/install.md', () =>
    follow(guided, isLoaded),
  );
  if (!isInstalled) return undefined;
  let product = guided;
  const isBehind = await report.row('two of each program behind a proxy', async () => {
    await startProxy();
    const proxy = cleanup.use(await forward('ingress-nginx', 'service/proxy', 80));
    product = { ...guided, proxyUrl: `http://127.0.0.1:${proxy.port}` };
    await product.shell(upgradeTo(product, CURRENT));
    return { figures: { pods: (await podsOf()).length } };
  });
  return isBehind ? product : undefined;
}

export const CURRENT: Release = { chart: 'charts/ces', values: path.join(MANIFESTS, 'values.yaml') };

export function upgradeTo({ proxyUrl }: Product, { chart, values }: Release, ...more: readonly string[]): string {
  return [
    `helm upgrade --install ces ${chart} --namespace ces --values ${values}`,
    `--set components.gateway.settings.CES_PUBLIC_URL=${proxyUrl}`,
    ...['--wait --timeout 10m', ...more],
  ].join(' ');
}

async function startServers(): Promise<Seen> {
  await applyFile(path.join(MANIFESTS, 'servers.yaml'));
  await ready('databases', 'postgres');
  await ready('messaging', 'nats');
  return {};
}

/** nginx in front of the gateway, which must be there when nginx starts. */
export async function startProxy(): Promise<void> {
  await applyFile(path.join(MANIFESTS, 'proxy.yaml'));
  await ready('ingress-nginx', 'proxy');
}

export async function ready(namespace: string, name: string): Promise<void> {
  await until(`${namespace}/${name} is ready`, READY_WITHIN_MS, async () => {
    const { status } = await read<KubernetesObject>(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
    return (status?.readyReplicas ?? 0) > 0;
  });
}

async function follow(product: Product, isLoaded: boolean) {
  const figures: Record<string, number> = {};
  for (const step of await readSteps()) {
    const begun = performance.now();
    await take(product, step, isLoaded);
    figures[`step ${step.title.slice(0, 1)}, s`] = Math.round((performance.now() - begun) / 1_000);
  }
  return { figures };
}

async function take(product: Product, { commands }: Step, isLoaded: boolean): Promise<void> {
  if (commands.includes('docker build')) {
    // An image is built from the files themselves, not from links to them.
    if (!isLoaded) await product.shell(`cd ${REPOSITORY}\n${commands}`);
    return;
  }
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
