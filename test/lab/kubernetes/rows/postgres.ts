import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { judgeAnywhere } from '../../drills/rolling/judge.ts';
import { failedCalls } from '../../drills/rolling/traffic.ts';
import type { KubernetesObject } from '../api.ts';
import { applyFile } from '../apply.ts';
import { OPERATOR_IMAGE, operatorManifests } from '../build/cloudnativepg.ts';
import type { Cluster } from '../node/start.ts';
import {
  loseServer,
  offerVolumes,
  ownerUrlOf,
  primaryOf,
  promoteAnother,
  type Replicated,
  superuserSays,
  untilPrimaryIsNot,
  untilWhole,
} from '../product/databases.ts';
import { readCommands } from '../product/guide.ts';
import { figuresOf, type Subscriber, subscribe } from '../product/load.ts';
import { NAMESPACE, openProduct, PROXY_URL, type Product, podsOf } from '../product/product.ts';
import { absenceOf, refusedCalls, repeatRefused } from '../product/refused.ts';
import type { Report, Seen } from '../report.ts';
import type { RowName } from '../rows.ts';
import { until } from '../until.ts';
import { ready } from './install.ts';
import { tryRestore } from './restored.ts';

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
const REPLICATED: readonly Replicated[] = ['operations', 'ledger'];
/** Two volumes for each server, plus some for replacements. */
const VOLUMES = 36;
const READY_WITHIN_MS = 180_000;
const ALONGSIDE_MS = 10_000;
/** Promise R18. */
const BACK_WITHIN_MS = 30_000;

interface Wanted {
  readonly rows: readonly RowName[];
  readonly rate: number;
  readonly folder: string;
}

/** Installs by the guide with databases from the chart, and changes their primaries under load. */
export async function tryPostgres(
  cluster: Cluster,
  { rows, rate, folder: parent }: Wanted,
  report: Report,
): Promise<void> {
  const product = await openProduct(cluster.api, cluster.kubeconfig, path.join(parent, 'databases'));
  if (!(await report.row('operator of CloudNativePG', () => startOperator(cluster, product, parent)))) return;
  const own = await valuesOf(cluster);
  if (!(await report.row('installed with databases that the chart makes', () => install(cluster, product, own))))
    return;
  const subscriber = await subscribe(product, 'databases', rate);
  const underLoad = (row: string, change: () => Promise<Change>) =>
    report.row(row, () => tryChange(product, subscriber, row, change));
  for (const service of rows.includes('postgres') ? REPLICATED : []) {
    await underLoad(`switch-over of ${service}`, () => switchOver(product, service));
    await underLoad(`fail-over of ${service}`, () => failOver(product, service));
  }
  await report.row('books after all of it, by ces', () => verify(product));
  if (rows.includes('restore')) await tryRestore(cluster, product, subscriber, own, report);
}

async function startOperator(cluster: Cluster, product: Product, parent: string): Promise<Seen> {
  const { api } = cluster;
  const text = (await readFile(await operatorManifests(), 'utf8'))
    .replaceAll(/ghcr\.io\/cloudnative-pg\/cloudnative-pg:[\d.]+/g, OPERATOR_IMAGE)
    .replace('imagePullPolicy: Always', 'imagePullPolicy: Never');
  for (const document of parseAllDocuments(text)) await api.apply(document.toJS() as KubernetesObject);
  await offerVolumes(product, path.join('/var/lib/volumes', path.basename(parent)), VOLUMES);
  await ready(cluster, 'cnpg-system', 'cnpg-controller-manager');
  const wrong = {
    ...{ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata: { name: 'wrong' } },
    spec: { instances: 1, storage: { size: '1Gi' }, postgresql: { synchronous: { method: 'any', number: 1 } } },
  };
  let said = '';
  await until('the operator refuses a cluster that cannot be', READY_WITHIN_MS, async () => {
    const { body } = await api.call('POST', '/apis/postgresql.cnpg.io/v1/namespaces/default/clusters', wrong);
    said = JSON.stringify(body);
    return said.includes('must be less than');
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${said}`);
  });
  return {};
}

/** Helm options for production values that do not fit this node, and for the API server's port. */
async function valuesOf({ kubeconfig }: Cluster): Promise<string> {
  const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const { port } = new URL(clusters[0].cluster.server);
  return `--values ${path.join(MANIFESTS, 'databases.yaml')} --set networkPolicy.apiServer.ports={${port}}`;
}

async function install(cluster: Cluster, product: Product, own: string): Promise<Seen> {
  await product.shell(`helm uninstall ces --namespace ${NAMESPACE} --ignore-not-found --wait
    kubectl delete namespace ${NAMESPACE} --ignore-not-found`);
  for (const file of ['servers.yaml', 'proxy.yaml']) await applyFile(cluster.api, path.join(MANIFESTS, file));
  await ready(cluster, 'messaging', 'nats');
  await product.shell((await readCommands('## Databases that the chart makes')).replace('--wait', `${own} --wait`));
  for (const service of REPLICATED) await untilWhole(product, service);
  await ready(cluster, 'ingress-nginx', 'proxy');
  // nginx resolves names once, so it would still use the Service of the previous release.
  const proxy = '--namespace ingress-nginx deployment/proxy';
  await product.shell(`kubectl rollout restart ${proxy}\n kubectl rollout status ${proxy} --timeout 2m`);
  const confirmed = await Promise.all(REPLICATED.map((service) => standbysThatConfirm(product, service)));
  const faults = confirmed.flatMap((count, at) =>
    count > 0 ? [] : [`no standby confirms what ${REPLICATED[at]} commits`],
  );
  const servers = await product.api.list(
    `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=cnpg.io%2FpodRole%3Dinstance`,
  );
  return { figures: { pods: (await podsOf(product.api)).length, 'servers of Postgres': servers.length }, faults };
}

async function standbysThatConfirm(product: Product, service: Replicated): Promise<number> {
  const query = "select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')";
  return Number(await superuserSays(product, service, query));
}

interface Change {
  readonly from: number;
  readonly figures: Readonly<Record<string, number>>;
}

async function switchOver(product: Product, service: Replicated): Promise<Change> {
  const old = await primaryOf(product, service);
  const from = Date.now();
  await promoteAnother(product, service);
  const elected = await untilPrimaryIsNot(product, service, old);
  return {
    from,
    figures: { 'another primary after, s': seconds(elected), 'whole after, s': await whole(product, service, from) },
  };
}

/** Keeps the server away until another is primary and has served calls for a while. */
async function failOver(product: Product, service: Replicated): Promise<Change> {
  const old = await primaryOf(product, service);
  const from = Date.now();
  const bringBack = await loseServer(product, old);
  const elected = await untilPrimaryIsNot(product, service, old).finally(async () => {
    await pause(ALONGSIDE_MS);
    await bringBack();
  });
  const back = Date.now();
  return {
    from,
    figures: {
      'another primary after, s': seconds(elected),
      'lost server follows after, s': await whole(product, service, back),
    },
  };
}

async function whole(product: Product, service: Replicated, from: number): Promise<number> {
  await untilWhole(product, service);
  return seconds(Date.now() - from);
}

async function tryChange(
  product: Product,
  subscriber: Subscriber,
  row: string,
  make: () => Promise<Change>,
): Promise<Seen> {
  const load = subscriber.call(row);
  await pause(ALONGSIDE_MS);
  const change = await make().catch((error: Error) => error);
  await pause(ALONGSIDE_MS);
  const attempts = await load.stop();
  if (change instanceof Error) return { figures: figuresOf(attempts), faults: [change.message] };
  const { from, figures } = change;
  const refused = refusedCalls(attempts);
  const again = await repeatRefused(subscriber.account, refused);
  const { firstMs, longestMs, lastRefusalMs } = absenceOf(attempts, from);
  subscriber.attempts.push(...again);
  // The check allows faults for 30 s after a window (promise R18), so the window has no length.
  subscriber.faultWindows.push({ from, to: from });
  const faults = [
    ...failedCalls(attempts.filter((attempt) => !refused.includes(attempt))),
    ...failedCalls(again).map((fault) => `again: ${fault}`),
    ...(Math.max(firstMs, longestMs, lastRefusalMs) > BACK_WITHIN_MS
      ? [`not back within ${seconds(BACK_WITHIN_MS)} s`]
      : []),
    ...(await judgeAll(product, subscriber)),
  ];
  const { failed: _, ...others } = figuresOf(attempts);
  const absence = {
    'first write after, s': seconds(firstMs),
    'longest without, s': seconds(longestMs),
    'last refusal after, s': seconds(lastRefusalMs),
  };
  return { figures: { ...figures, ...absence, refused: refused.length, repeated: again.length, ...others }, faults };
}

/** Runs checks C1 to C12 on all calls since the installation. */
async function judgeAll(product: Product, { account, attempts, faultWindows }: Subscriber): Promise<string[]> {
  const directory = path.join(product.folder, 'logs');
  await mkdir(directory, { recursive: true });
  const said = await product.shell(
    `kubectl --namespace ${NAMESPACE} logs --selector app.kubernetes.io/instance=ces --tail=-1 --prefix`,
  );
  await writeFile(path.join(directory, 'pods.log'), said);
  const databases = {
    operations: await ownerUrlOf(product, 'operations'),
    ledger: await ownerUrlOf(product, 'ledger'),
  };
  const stack = { account, gatewayUrl: PROXY_URL, secrets: {}, databases, logDirectory: directory };
  return await judgeAnywhere(stack, attempts, faultWindows);
}

async function verify(product: Product): Promise<Seen> {
  const ces = '/nodejs/bin/node /app/deploy/image/src/main.ts ces';
  await product.shell(`kubectl --namespace ${NAMESPACE} exec deployment/ces-toolbox -- ${ces} ledger verify`);
  return {};
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
