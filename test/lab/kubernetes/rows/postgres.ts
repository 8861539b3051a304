import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CUSTOM } from '@ces/chart/check/schemas';
import { REPOSITORY } from '@ces/topology/services';
import { parseAllDocuments } from 'yaml';
import { failedCalls } from '../../drills/rolling/traffic.ts';
import type { Attempt } from '../../load/attempt.ts';
import { forward } from '../forward.ts';
import { apply, applyFile, kubectl, list, read } from '../kubectl.ts';
import {
  loseServer,
  ownerUrlOf,
  primaryOf,
  promoteAnother,
  type Replicated,
  superuserSays,
  untilPrimaryIsNot,
  untilWhole,
} from '../product/databases.ts';
import { readCommands, readSteps } from '../product/guide.ts';
import { figuresOf, repeat, type Subscriber, subscribe } from '../product/load.ts';
import { NAMESPACE, openProduct, type Product, podsOf } from '../product/product.ts';
import { absenceOf, refusedCalls } from '../product/refused.ts';
import type { Report, Seen } from '../report.ts';
import { until } from '../until.ts';
import { judgeBooks } from './books.ts';
import { ready, startProxy } from './install.ts';

const execute = promisify(execFile);

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
const REPLICATED: readonly Replicated[] = ['operations', 'ledger'];
const API_SERVER = '/api/v1/namespaces/default/endpoints/kubernetes';
const READY_WITHIN_MS = 180_000;
const ALONGSIDE_MS = 10_000;
/** Promise R18. */
const BACK_WITHIN_MS = 30_000;

interface Wanted {
  readonly folder: string;
  readonly rate: number;
  readonly isLoaded: boolean;
}

/** Installs by the guide with databases from the chart, and changes their primaries under load. */
export async function tryPostgres(
  { folder, rate, isLoaded }: Wanted,
  report: Report,
  cleanup: AsyncDisposableStack,
): Promise<void> {
  if (!(await report.row('operator of CloudNativePG', startOperator))) return;
  const product = await openProduct(path.join(folder, 'databases'), {});
  const look = () => install(product, isLoaded);
  if (!(await report.row('installed with databases that the chart makes', look))) return;
  const proxy = cleanup.use(await forward('ingress-nginx', 'service/proxy', 80));
  const installed: Product = { ...product, proxyUrl: `http://127.0.0.1:${proxy.port}` };
  const subscriber = await subscribe(installed, 'databases', rate);
  const underLoad = (row: string, change: () => Promise<Change>) =>
    report.row(row, () => tryChange(installed, subscriber, row, change));
  for (const service of REPLICATED) {
    await underLoad(`switch-over of ${service}`, () => replacePrimary(service, () => promoteAnother(service)));
    await underLoad(`fail-over of ${service}`, () => replacePrimary(service, loseServer));
  }
  await report.row('books after all of it, by ces', () => verify(installed));
}

async function startOperator(): Promise<Seen> {
  const [module] = CUSTOM[0];
  const { stdout } = await execute('go', ['mod', 'download', '-json', module], { cwd: '/' });
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
  const file = path.join(Dir, `releases/cnpg-${module.split('@v')[1]}.yaml`);
  const text = (await readFile(file, 'utf8')).replace('imagePullPolicy: Always', 'imagePullPolicy: IfNotPresent');
  await apply(...parseAllDocuments(text).map((document) => document.toJS() as object));
  await ready('cnpg-system', 'cnpg-controller-manager');
  const wrong = {
    ...{ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata: { name: 'wrong' } },
    spec: { instances: 1, storage: { size: '1Gi' }, postgresql: { synchronous: { method: 'any', number: 1 } } },
  };
  let said = '';
  await until('the operator refuses a cluster that cannot be', READY_WITHIN_MS, async () => {
    said = await kubectl(['create', '--filename', '-'], wrong).catch((error: Error) => error.message);
    return said.includes('must be less than');
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${said}`);
  });
  return {};
}

/** Helm options for production values that do not fit one node, and for the API server's port. */
async function ownValues(): Promise<string> {
  const { subsets } = await read<{ subsets: { ports: { port: number }[] }[] }>(API_SERVER);
  const ports = subsets.flatMap((subset) => subset.ports.map(({ port }) => port));
  return `--values ${path.join(MANIFESTS, 'databases.yaml')} --set networkPolicy.apiServer.ports={${ports.join()}}`;
}

async function install(product: Product, isLoaded: boolean): Promise<Seen> {
  if (!isLoaded) {
    const [build] = await readSteps();
    await product.shell(`cd ${REPOSITORY}\n${build?.commands ?? ''}`);
  }
  await product.shell(`helm uninstall ces --namespace ${NAMESPACE} --ignore-not-found --wait
    kubectl delete namespace ${NAMESPACE} --ignore-not-found`);
  await applyFile(path.join(MANIFESTS, 'servers.yaml'));
  await ready('messaging', 'nats');
  const own = await ownValues();
  await product.shell((await readCommands('## Databases that the chart makes')).replace('--wait', `${own} --wait`));
  for (const service of REPLICATED) await untilWhole(service);
  await startProxy();
  // nginx resolves names once, so it would still use the Service of the previous release.
  const proxy = '--namespace ingress-nginx deployment/proxy';
  await product.shell(`kubectl rollout restart ${proxy}\n kubectl rollout status ${proxy} --timeout 2m`);
  const confirmed = await Promise.all(REPLICATED.map((service) => standbysThatConfirm(product, service)));
  const faults = confirmed.flatMap((count, at) =>
    count > 0 ? [] : [`no standby confirms what ${REPLICATED[at]} commits`],
  );
  const servers = await list(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=cnpg.io%2FpodRole%3Dinstance`);
  return { figures: { pods: (await podsOf()).length, 'servers of Postgres': servers.length }, faults };
}

async function standbysThatConfirm(product: Product, service: Replicated): Promise<number> {
  const query = "select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')";
  return Number(await superuserSays(product, service, query));
}

interface Change {
  readonly from: number;
  readonly figures: Readonly<Record<string, number>>;
}

async function replacePrimary(service: Replicated, replace: (old: string) => Promise<void>): Promise<Change> {
  const old = await primaryOf(service);
  const from = Date.now();
  await replace(old);
  const elected = await untilPrimaryIsNot(service, old);
  await untilWhole(service);
  const figures = { 'another primary after, s': seconds(elected), 'whole after, s': seconds(Date.now() - from) };
  return { from, figures };
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
  const again: Attempt[] = [];
  for (const attempt of refused) again.push(...[await repeat(subscriber, attempt)].flatMap((one) => one ?? []));
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
async function judgeAll(product: Product, subscriber: Subscriber): Promise<string[]> {
  await using operations = await forward(NAMESPACE, 'service/ces-operations-rw', 5432);
  await using ledger = await forward(NAMESPACE, 'service/ces-ledger-rw', 5432);
  const databases = {
    operations: await ownerUrlOf('operations', operations.port),
    ledger: await ownerUrlOf('ledger', ledger.port),
  };
  return await judgeBooks(product, subscriber, databases, {});
}

async function verify(product: Product): Promise<Seen> {
  const ces = '/nodejs/bin/node /app/deploy/image/src/main.ts ces';
  await product.shell(`kubectl --namespace ${NAMESPACE} exec deployment/ces-toolbox -- ${ces} ledger verify`);
  return {};
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
