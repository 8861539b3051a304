import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until.ts';
import { NAMESPACE, type Product } from './product.ts';

export type Replicated = 'ledger' | 'operations';

interface DatabaseCluster {
  readonly spec: { readonly instances: number };
  readonly status?: {
    readonly phase?: string;
    readonly readyInstances?: number;
    readonly currentPrimary?: string;
    readonly targetPrimary?: string;
    readonly instanceNames?: readonly string[];
  };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[] };
}

const GROUP = `/apis/postgresql.cnpg.io/v1/namespaces/${NAMESPACE}/clusters`;
const CORE = `/api/v1/namespaces/${NAMESPACE}`;
const WHOLE_WITHIN_MS = 300_000;
const GONE_WITHIN_MS = 5_000;

export async function untilWhole(product: Product, service: Replicated): Promise<number> {
  return await until(`every server of ${service} is ready`, WHOLE_WITHIN_MS, async () => {
    const { spec, status } = await clusterOf(product, service);
    const isSettled = status?.currentPrimary === status?.targetPrimary && status?.phase === 'Cluster in healthy state';
    return isSettled && status?.readyInstances === spec.instances;
  });
}

export async function primaryOf(product: Product, service: string): Promise<string> {
  const { status } = await clusterOf(product, service);
  if (!status?.currentPrimary) throw new Error(`${service} has no primary`);
  return status.currentPrimary;
}

export async function untilPrimaryIsNot(product: Product, service: Replicated, old: string): Promise<number> {
  return await until(`${service} has another primary than ${old}`, WHOLE_WITHIN_MS, async () => {
    const { status } = await clusterOf(product, service);
    return status?.currentPrimary !== old && status?.currentPrimary === status?.targetPrimary;
  });
}

/** Starts a switchover, as `kubectl cnpg promote` does. */
export async function promoteAnother(product: Product, service: Replicated): Promise<void> {
  const { status } = await clusterOf(product, service);
  const next = status?.instanceNames?.find((name) => name !== status.currentPrimary);
  const wanted = {
    ...{ targetPrimary: next, targetPrimaryTimestamp: new Date().toISOString() },
    ...{ phase: 'Switchover in progress', phaseReason: `Switching over to ${next}` },
  };
  const url = `${GROUP}/ces-${service}/status`;
  const answer = await product.api.call('PATCH', url, { status: wanted }, 'application/merge-patch+json');
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/**
 * Kills a server and hides its volumes, so that it cannot restart. Resolves with a function that
 * restores them.
 */
export async function loseServer(product: Product, name: string): Promise<() => Promise<void>> {
  const pod = await read<Pod>(product, `${CORE}/pods/${name}`);
  const claims = pod.spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
  const folders = await Promise.all(claims.map((claim) => folderOf(product, claim)));
  for (const folder of folders) await rename(folder, `${folder}.away`);
  await killAll(pod.metadata.uid);
  const { status } = await product.api.call('DELETE', `${CORE}/pods/${name}?gracePeriodSeconds=0`);
  if (status >= 300) throw new Error(`${name} is not deleted: ${status}`);
  return async () => {
    for (const folder of folders) await rename(`${folder}.away`, folder);
  };
}

export async function superuserSays(product: Product, service: string, statement: string): Promise<string> {
  const pod = await primaryOf(product, service);
  const exec = `kubectl --namespace ${NAMESPACE} exec ${pod} --container postgres --`;
  return (await product.shell(`${exec} psql -Atc "${statement}"`)).trim();
}

/** The owner's database URL, reachable from the node. */
export async function ownerUrlOf(
  product: Product,
  service: string,
  { namespace, release } = { namespace: NAMESPACE, release: 'ces' },
): Promise<string> {
  const url = `/api/v1/namespaces/${namespace}`;
  const { data } = await read<{ data: Record<string, string> }>(product, `${url}/secrets/${release}-${service}-app`);
  const { spec } = await read<{ spec: { clusterIP: string } }>(product, `${url}/services/${release}-${service}-rw`);
  const [user, password] = ['username', 'password'].map((key) => Buffer.from(data[key] ?? '', 'base64').toString());
  return `postgres://${user}:${password}@${spec.clusterIP}:5432/${service}`;
}

export async function offerVolumes(product: Product, folder: string, count: number): Promise<void> {
  await product.api.apply({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', provisioner: 'kubernetes.io/no-provisioner' },
    metadata: { name: 'node', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  } as Parameters<Product['api']['apply']>[0]);
  for (let at = 0; at < count; at += 1) {
    const directory = `${folder}/volume-${at}`;
    await mkdir(directory, { recursive: true });
    await product.shell(`chown 26:26 ${directory}`);
    await product.api.apply({
      ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `volume-${at}` } },
      spec: {
        ...{ capacity: { storage: '200Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'node' },
        ...{ persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: directory, type: 'Directory' } },
      },
    });
  }
}

async function clusterOf(product: Product, service: string): Promise<DatabaseCluster> {
  return await read<DatabaseCluster>(product, `${GROUP}/ces-${service}`);
}

async function folderOf(product: Product, claim: string): Promise<string> {
  const { spec } = await read<{ spec: { volumeName: string } }>(product, `${CORE}/persistentvolumeclaims/${claim}`);
  const volume = `/api/v1/persistentvolumes/${spec.volumeName}`;
  return (await read<{ spec: { hostPath: { path: string } } }>(product, volume)).spec.hostPath.path;
}

async function killAll(uid: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (let left = await processesOf(uid); left.length > 0; left = await processesOf(uid)) {
    if (performance.now() > deadline) throw new Error(`${left.length} processes of ${uid} do not end`);
    for (const pid of left) if (await isOf(pid, uid)) process.kill(pid, 'SIGKILL');
    await pause(20);
  }
}

async function processesOf(uid: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const own = await Promise.all(pids.map((pid) => isOf(pid, uid)));
  return pids.filter((_, at) => own[at]);
}

async function isOf(pid: number, uid: string): Promise<boolean> {
  const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  return groups.includes(`pod${uid}`);
}

async function read<T>({ api }: Product, url: string): Promise<T> {
  const { status, body } = await api.call('GET', url);
  if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
  return body as T;
}
