import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { apply, type KubernetesObject, list, read } from '../kubectl.ts';
import { IMAGE, NAMESPACE, type Product, type ProductPod, podsOf } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';
import { until } from '../until.ts';

interface Component {
  readonly name: string;
  readonly port: number;
  readonly database: boolean;
  readonly broker: boolean;
  readonly calls: readonly string[];
}

interface Endpoint {
  readonly name: string;
  readonly address: string;
}

interface Outcome {
  readonly open: boolean;
  readonly reason?: string;
}

const ADMIN_PORT = 9090;
const READY_WITHIN_MS = 120_000;
/** Namespaces of pods that are none of the release. */
const FOREIGN = ['monitoring', 'ingress-nginx', 'foreign'];

/**
 * Tries every port of every pod and neighbour from every pod of the product, and from foreign pods.
 */
export async function tryEdges(product: Product, report: Report): Promise<void> {
  await report.row('every edge from every pod', async () => {
    const components = await readComponents();
    const pods = (await podsOf()).filter(({ ready }) => ready);
    await startForeignPods();
    const endpoints = await endpointsOf(components, pods);
    const seen = { open: 0, closed: 0 };
    const faults: string[] = [];
    const judge = (from: string, endpoint: Endpoint, outcome: Outcome | undefined, expected: boolean) => {
      seen[outcome?.open ? 'open' : 'closed'] += 1;
      if (outcome?.open !== expected)
        faults.push(`${from} to ${endpoint.name} is ${outcome?.open ? 'open' : `closed: ${outcome?.reason}`}`);
    };
    for (const pod of pods) {
      const others = endpoints.filter(({ address }) => !address.startsWith(`${pod.address}:`));
      const outcomes = await tryFromPod(product, NAMESPACE, pod.name, others);
      for (const [at, endpoint] of others.entries())
        judge(pod.name, endpoint, outcomes[at], isAllowed(pod.program, endpoint, components));
    }
    for (const name of FOREIGN) {
      const outcomes = await tryFromPod(product, name, 'foreign', endpoints);
      for (const [at, endpoint] of endpoints.entries())
        judge(`a pod of ${name}`, endpoint, outcomes[at], isOpenToForeignPod(name, endpoint));
    }
    await product.shell(`kubectl --namespace ingress-nginx delete pod foreign --grace-period 0 --force
      kubectl delete namespace monitoring foreign --wait=false`);
    return {
      figures: { pods: pods.length, foreign: FOREIGN.length, tried: seen.open + seen.closed, ...seen },
      faults,
    } satisfies Seen;
  });
}

async function readComponents(): Promise<readonly Component[]> {
  return JSON.parse(await readFile(path.join(REPOSITORY, 'charts/ces/files/components.json'), 'utf8'));
}

async function endpointsOf(components: readonly Component[], pods: readonly ProductPod[]): Promise<Endpoint[]> {
  const ofPods = pods.flatMap(({ name, program, address }) => {
    const port = components.find((one) => one.name === program)?.port ?? 0;
    return [
      { name: `${name} calls of ${program}`, address: `${address}:${port}` },
      { name: `${name} admin of ${program}`, address: `${address}:${ADMIN_PORT}` },
    ];
  });
  return [
    ...ofPods,
    { name: 'Postgres', address: await serviceAt('databases', 'postgres', 5432) },
    { name: 'NATS', address: await serviceAt('messaging', 'nats', 4222) },
    { name: 'DNS', address: await serviceAt('kube-system', 'kube-dns', 53) },
    { name: 'the API server', address: await serviceAt('default', 'kubernetes', 443) },
    { name: 'the kubelet', address: `${await nodeAddress()}:10250` },
    { name: 'the proxy', address: await serviceAt('ingress-nginx', 'proxy', 80) },
  ];
}

async function serviceAt(namespace: string, name: string, port: number): Promise<string> {
  const { spec } = await read<{ spec: { clusterIP: string } }>(`/api/v1/namespaces/${namespace}/services/${name}`);
  return `${spec.clusterIP}:${port}`;
}

async function nodeAddress(): Promise<string> {
  const [node] = await list('/api/v1/nodes');
  const { addresses = [] } = (node?.status ?? {}) as {
    readonly addresses?: readonly { type: string; address: string }[];
  };
  return addresses.find(({ type }) => type === 'InternalIP')?.address ?? '';
}

/** Allows only the edges of the chart's call graph. */
function isAllowed(program: string, { name }: Endpoint, components: readonly Component[]): boolean {
  const { calls = [], database = false, broker = false } = components.find((one) => one.name === program) ?? {};
  if (name === 'DNS') return true;
  if (name === 'Postgres') return database;
  if (name === 'NATS') return broker;
  return calls.some((peer) => name.endsWith(`calls of ${peer}`));
}

function isOpenToForeignPod(namespace: string, { name }: Endpoint): boolean {
  if (!name.includes(' of ')) return true;
  if (namespace === 'monitoring') return name.includes(' admin of ');
  return namespace === 'ingress-nginx' && name.endsWith('calls of gateway');
}

async function startForeignPods(): Promise<void> {
  for (const namespace of FOREIGN) {
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await apply(foreignPod(namespace));
  }
  for (const namespace of FOREIGN)
    await until(`the pod of ${namespace} runs`, READY_WITHIN_MS, async () => {
      const { status } = await read<KubernetesObject & { readonly status?: { readonly phase?: string } }>(
        `/api/v1/namespaces/${namespace}/pods/foreign`,
      );
      return status?.phase === 'Running';
    });
}

/** It has the labels of a program, which grant nothing to a pod of another namespace. */
function foreignPod(namespace: string): object {
  const labels = {
    'app.kubernetes.io/name': 'ces',
    'app.kubernetes.io/instance': 'ces',
    'app.kubernetes.io/component': 'operations',
  };
  const command = ['/nodejs/bin/node', '-e', 'setInterval(() => undefined, 1e6)'];
  const container = { name: 'foreign', image: `${IMAGE}:0.1.0`, imagePullPolicy: 'IfNotPresent', command };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'foreign', namespace, labels } },
    spec: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false, containers: [container] },
  };
}

/** Runs the image's Node in a pod, so the test uses only the pod's network. */
async function tryFromPod(
  product: Product,
  namespace: string,
  pod: string,
  endpoints: readonly Endpoint[],
): Promise<readonly Outcome[]> {
  const script = `const net = require('node:net');
const attempt = (address) => new Promise((resolve) => {
  const at = address.lastIndexOf(':');
  const socket = net.connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)) });
  const end = (open, reason) => { socket.destroy(); resolve({ open, reason }); };
  socket.setTimeout(5000, () => end(false, 'no answer'));
  socket.on('connect', () => end(true));
  socket.on('error', (error) => end(false, error.message));
});
Promise.all(JSON.parse(process.argv[1]).map(attempt)).then((all) => console.log(JSON.stringify(all)));`;
  const quoted = [script, JSON.stringify(endpoints.map(({ address }) => address))].map(
    (text) => `'${text.replaceAll("'", `'\\''`)}'`,
  );
  const program = `kubectl --namespace ${namespace} exec ${pod} -- /nodejs/bin/node -e ${quoted.join(' ')}`;
  return JSON.parse(await product.shell(program)) as readonly Outcome[];
}
