import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { judgeAnywhere } from '../../drills/rolling/judge.ts';
import { failedCalls } from '../../drills/rolling/traffic.ts';
import type { Attempt } from '../../load/attempt.ts';
import { applyFile } from '../apply.ts';
import type { Cluster } from '../node/start.ts';
import { ownerUrlOf, superuserSays } from '../product/databases.ts';
import { figuresOf, type Subscriber } from '../product/load.ts';
import { NAMESPACE, type Product } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';
import { until } from '../until.ts';
import { ready } from './install.ts';

const MANIFESTS = path.join(import.meta.dirname, '../manifests');
/** All databases except the index, which is rebuilt. */
const SAVED = ['ledger', 'operations', 'lookup', 'acquisition'];
const RELEASE = 'ces-back';
const RESTORED = { namespace: 'restored', release: RELEASE };
const KEYS = { 'access-key': 'of-the-lab', 'secret-key': 'of-the-lab' };
const STORE = {
  ...{ destinationPath: 's3://backups/ces', endpointURL: 'http://store.backups.svc:9000' },
  s3Credentials: {
    accessKeyId: { name: 'ces-backups', key: 'access-key' },
    secretAccessKey: { name: 'ces-backups', key: 'secret-key' },
  },
  ...{ wal: { compression: 'gzip' }, data: { compression: 'gzip', immediateCheckpoint: true } },
};
const SAVED_WITHIN_MS = 300_000;
const CALLED_MS = 15_000;
const CES = '/nodejs/bin/node /app/deploy/image/src/main.ts ces';

/**
 * Takes backups, restores every database to one moment in a second release, runs `ces
 * after-restore`, and checks the result. `own` holds helm options for this node.
 */
export async function tryRestore(
  cluster: Cluster,
  product: Product,
  subscriber: Subscriber,
  own: string,
  report: Report,
): Promise<void> {
  const saved = await report.row('everything backed up, and what is written ahead', () => save(cluster, product, own));
  if (!saved) return;
  let known: readonly Attempt[] = [];
  let moment = new Date(0);
  await report.row('calls before a moment and after it', async () => {
    const before = subscriber.call('before the moment');
    await pause(CALLED_MS);
    known = await before.stop();
    await pause(1_000);
    moment = new Date();
    await pause(1_000);
    const after = subscriber.call('after the moment');
    await pause(CALLED_MS);
    const lost = await after.stop();
    for (const service of SAVED) await archive(product, service);
    return { figures: figuresOf([...known, ...lost]), faults: failedCalls([...known, ...lost]) };
  });
  const back = await report.row('restored to the moment, beside', () => restore(cluster, product, own, moment));
  if (!back) return;
  await report.row('ces after-restore, and the books', () => settle(product, subscriber, known));
}

async function save(cluster: Cluster, product: Product, own: string): Promise<Seen> {
  await applyFile(cluster.api, path.join(MANIFESTS, 'store.yaml'));
  await ready(cluster, 'backups', 'store');
  await openWay(product, NAMESPACE);
  const values = path.join(product.folder, 'backups.yaml');
  const services = Object.fromEntries(
    SAVED.map((service) => [service, { spec: { backup: { barmanObjectStore: STORE } } }]),
  );
  await writeFile(values, stringify({ postgres: { cloudnativepg: { services } } }));
  await product.shell(
    `helm upgrade ces charts/ces --namespace ${NAMESPACE} --values charts/ces/examples/production.yaml ${own} --values ${values} --wait --timeout 15m`,
  );
  const begun = performance.now();
  for (const service of SAVED) {
    const metadata = { name: `first-${service}`, namespace: NAMESPACE };
    await product.api.apply({
      ...{ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Backup', metadata },
      spec: { cluster: { name: `ces-${service}` }, method: 'barmanObjectStore', target: 'primary' },
    });
  }
  for (const service of SAVED) await untilSaved(product, service);
  return { figures: { databases: SAVED.length, 'base backups, s': Math.round((performance.now() - begun) / 1_000) } };
}

/** Allows Postgres servers to reach the store, and gives them its keys. */
async function openWay({ api }: Product, namespace: string): Promise<void> {
  await api.apply({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ces-backups', namespace } },
    stringData: KEYS,
  } as Parameters<typeof api.apply>[0]);
  await api.apply({
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'to-the-store', namespace } },
    spec: {
      podSelector: { matchExpressions: [{ key: 'cnpg.io/cluster', operator: 'Exists' }] },
      policyTypes: ['Egress'],
      egress: [
        {
          to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'backups' } } }],
          ports: [{ protocol: 'TCP', port: 9000 }],
        },
      ],
    },
  });
}

async function untilSaved({ api }: Product, service: string): Promise<void> {
  const url = `/apis/postgresql.cnpg.io/v1/namespaces/${NAMESPACE}/backups/first-${service}`;
  let said = '';
  await until(`${service} is backed up`, SAVED_WITHIN_MS, async () => {
    const { body } = await api.call('GET', url);
    const { status } = body as { status?: { phase?: string } };
    said = JSON.stringify(status);
    if (status?.phase === 'failed') throw new Error(`the backup of ${service} failed: ${said}`);
    return status?.phase === 'completed';
  }).catch((error: Error) => {
    throw new Error(`${error.message}: ${said}`);
  });
}

/** Archives all WAL so far. A restore to a moment needs a transaction after it. */
async function archive(product: Product, service: string): Promise<void> {
  await superuserSays(product, service, 'select txid_current()');
  const file = await superuserSays(product, service, 'select pg_walfile_name(pg_switch_wal())');
  const archived = `select coalesce(last_archived_wal >= '${file}', false) from pg_stat_archiver`;
  await until(`what ${service} wrote is archived`, SAVED_WITHIN_MS, async () => {
    return (await superuserSays(product, service, archived)) === 't';
  });
}

async function restore(cluster: Cluster, product: Product, own: string, moment: Date): Promise<Seen> {
  const { namespace } = RESTORED;
  await product.shell(`kubectl --namespace ${NAMESPACE} scale deployment --all --replicas 0
    kubectl create namespace ${namespace}
    kubectl label namespace ${namespace} pod-security.kubernetes.io/enforce=restricted`);
  await openWay(product, namespace);
  const secrets = await readFile(path.join(product.folder, 'secrets/kubernetes.json'), 'utf8');
  const renamed = path.join(product.folder, 'restored.json');
  await writeFile(renamed, secrets.replaceAll('"name": "ces-', `"name": "${RELEASE}-`));
  const values = path.join(product.folder, 'restored.yaml');
  await writeFile(values, stringify(restoredValues(moment)));
  const begun = performance.now();
  await product.shell(`kubectl --namespace ${namespace} apply --filename ${renamed}
    helm upgrade --install ${RELEASE} charts/ces --namespace ${namespace} --values charts/ces/examples/production.yaml ${own} --values ${values} --wait --timeout 15m`);
  await ready(cluster, namespace, `${RELEASE}-gateway`);
  return { figures: { minutes: Math.round((performance.now() - begun) / 6_000) / 10 } };
}

/** Values as in deploy/docs/restore.md, with the store instead of the plugin. */
function restoredValues(moment: Date) {
  const recovered = (service: string) => ({
    spec: {
      bootstrap: {
        recovery: {
          ...{ source: 'before', database: service, owner: `${service}_owner` },
          recoveryTarget: { targetTime: moment.toISOString() },
        },
      },
      externalClusters: [{ name: 'before', barmanObjectStore: { ...STORE, serverName: `ces-${service}` } }],
    },
  });
  const one = { instances: 1, synchronousReplicas: 0, failoverQuorum: false };
  const services = Object.fromEntries(SAVED.map((service) => [service, { ...one, ...recovered(service) }]));
  return {
    // Shares the broker of the first release.
    settings: { CES_NATS_PREFIX: 'back' },
    postgres: { tls: { secretName: `${RELEASE}-{program}-ca` }, cloudnativepg: { services } },
  };
}

async function settle(product: Product, { account }: Subscriber, known: readonly Attempt[]): Promise<Seen> {
  const { namespace } = RESTORED;
  const toolbox = `kubectl --namespace ${namespace} exec deployment/${RELEASE}-toolbox -- ${CES}`;
  const begun = performance.now();
  const said = await product.shell(`${toolbox} after-restore all --wait --reason restore`);
  const minutes = Math.round((performance.now() - begun) / 6_000) / 10;
  await product.shell(`${toolbox} ledger verify`);
  const gateway = (
    await product.shell(
      `kubectl --namespace ${namespace} get service ${RELEASE}-gateway --output jsonpath={.spec.clusterIP}`,
    )
  ).trim();
  const databases = {
    operations: await ownerUrlOf(product, 'operations', RESTORED),
    ledger: await ownerUrlOf(product, 'ledger', RESTORED),
  };
  const logDirectory = path.join(product.folder, 'logs-restored');
  await mkdir(logDirectory, { recursive: true });
  const stack = { account, gatewayUrl: `http://${gateway}:8080`, secrets: {}, databases, logDirectory };
  const faults = await judgeAnywhere(stack, known, []);
  return {
    figures: { 'minutes of after-restore': minutes, said: said.trim().split('\n').length, 'calls known': known.length },
    faults,
  };
}
