import { kubectl, read } from '../kubectl.ts';
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

const GROUP = `/apis/postgresql.cnpg.io/v1/namespaces/${NAMESPACE}/clusters`;
const WHOLE_WITHIN_MS = 300_000;

export async function untilWhole(service: Replicated): Promise<number> {
  return await until(`every server of ${service} is ready`, WHOLE_WITHIN_MS, async () => {
    const { spec, status } = await clusterOf(service);
    const isSettled = status?.currentPrimary === status?.targetPrimary && status?.phase === 'Cluster in healthy state';
    return isSettled && status?.readyInstances === spec.instances;
  });
}

export async function primaryOf(service: string): Promise<string> {
  const { status } = await clusterOf(service);
  if (!status?.currentPrimary) throw new Error(`${service} has no primary`);
  return status.currentPrimary;
}

export async function untilPrimaryIsNot(service: Replicated, old: string): Promise<number> {
  return await until(`${service} has another primary than ${old}`, WHOLE_WITHIN_MS, async () => {
    const { status } = await clusterOf(service);
    return status?.currentPrimary !== old && status?.currentPrimary === status?.targetPrimary;
  });
}

/** Starts a switchover, as `kubectl cnpg promote` does. */
export async function promoteAnother(service: Replicated): Promise<void> {
  const { status } = await clusterOf(service);
  const next = status?.instanceNames?.find((name) => name !== status.currentPrimary);
  const wanted = {
    ...{ targetPrimary: next, targetPrimaryTimestamp: new Date().toISOString() },
    ...{ phase: 'Switchover in progress', phaseReason: `Switching over to ${next}` },
  };
  await kubectl([
    ...['--namespace', NAMESPACE, 'patch', 'clusters.postgresql.cnpg.io', `ces-${service}`],
    ...['--subresource', 'status', '--type', 'merge', '--patch', JSON.stringify({ status: wanted })],
  ]);
}

/** Loses a server with its volumes, as `kubectl cnpg destroy` does: the operator makes another. */
export async function loseServer(name: string): Promise<void> {
  const claims = `--selector=cnpg.io/instanceName=${name}`;
  await kubectl(['--namespace', NAMESPACE, 'delete', 'pvc', claims, '--wait=false']);
  await kubectl(['--namespace', NAMESPACE, 'delete', 'pod', name, '--grace-period', '0', '--force']);
}

export async function superuserSays(product: Product, service: string, statement: string): Promise<string> {
  const pod = await primaryOf(service);
  const exec = `kubectl --namespace ${NAMESPACE} exec ${pod} --container postgres --`;
  return (await product.shell(`${exec} psql -Atc "${statement}"`)).trim();
}

/** The owner's address of a database, at a local port that leads to its primary. */
export async function ownerUrlOf(service: string, port: number): Promise<string> {
  const secret = `/api/v1/namespaces/${NAMESPACE}/secrets/ces-${service}-app`;
  const { data } = await read<{ data: Record<string, string> }>(secret);
  const [user, password] = ['username', 'password'].map((key) => Buffer.from(data[key] ?? '', 'base64').toString());
  return `postgres://${user}:${password}@127.0.0.1:${port}/${service}`;
}

async function clusterOf(service: string): Promise<DatabaseCluster> {
  return await read<DatabaseCluster>(`${GROUP}/ces-${service}`);
}
