import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';
import { ADDRESS } from '../node/start.ts';
import { type Outcome, type Probe, startProbes, type Target } from '../probes.ts';
import { NAMESPACE, type Product, type ProductPod, podsOf } from '../product/product.ts';
import type { Report, Seen } from '../report.ts';

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

const ADMIN_PORT = 9090;
const DNS = '10.96.0.10:53';

/**
 * Tries every port of every pod and neighbour from every pod of the product, and from foreign pods.
 */
export async function tryEdges(product: Product, report: Report): Promise<void> {
  await report.row('every edge from every pod', async () => {
    const components = await readComponents();
    const pods = (await podsOf(product.api)).filter(({ ready }) => ready);
    const foreign = await startForeignPods(product);
    const endpoints = endpointsOf(components, pods);
    const seen = { open: 0, closed: 0 };
    const faults: string[] = [];
    const judge = (from: string, endpoint: Endpoint, outcome: Outcome | undefined, expected: boolean) => {
      seen[outcome?.open ? 'open' : 'closed'] += 1;
      if (outcome?.open !== expected)
        faults.push(`${from} to ${endpoint.name} is ${outcome?.open ? 'open' : `closed: ${outcome?.reason}`}`);
    };
    for (const pod of pods) {
      const others = endpoints.filter(({ address }) => !address.startsWith(`${pod.address}:`));
      const outcomes = await tryFromPod(product, pod, others.map(targetOf));
      for (const [at, endpoint] of others.entries())
        judge(pod.name, endpoint, outcomes[at], isAllowed(pod.program, endpoint, components));
    }
    for (const [name, probe] of foreign) {
      const outcomes = await probe.try(endpoints.map(targetOf));
      for (const [at, endpoint] of endpoints.entries())
        judge(`a pod of ${name}`, endpoint, outcomes[at], isOpenToForeignPod(name, endpoint));
    }
    await product.shell('kubectl delete namespace monitoring foreign --wait=false');
    return {
      figures: { pods: pods.length, foreign: foreign.length, tried: seen.open + seen.closed, ...seen },
      faults,
    } satisfies Seen;
  });
}

async function readComponents(): Promise<readonly Component[]> {
  return JSON.parse(await readFile(path.join(REPOSITORY, 'charts/ces/files/components.json'), 'utf8'));
}

function targetOf({ address }: Endpoint): Target {
  return { protocol: 'tcp', address };
}

function endpointsOf(components: readonly Component[], pods: readonly ProductPod[]): Endpoint[] {
  const ofPods = pods.flatMap(({ name, program, address }) => {
    const port = components.find((one) => one.name === program)?.port ?? 0;
    return [
      { name: `${name} calls of ${program}`, address: `${address}:${port}` },
      { name: `${name} admin of ${program}`, address: `${address}:${ADMIN_PORT}` },
    ];
  });
  return [
    ...ofPods,
    { name: 'Postgres', address: '10.96.0.32:5432' },
    { name: 'NATS', address: 'nats.messaging.svc.cluster.local:4222' },
    { name: 'DNS', address: DNS },
    { name: 'the API server', address: '10.96.0.1:443' },
    { name: 'the kubelet', address: `${ADDRESS}:10250` },
    { name: 'the proxy', address: '10.96.0.80:80' },
  ];
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

async function startForeignPods(product: Product): Promise<[string, Probe][]> {
  const names = ['monitoring', 'ingress-nginx', 'foreign'];
  for (const name of ['monitoring', 'foreign'])
    await product.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  // A program's labels grant nothing to a pod of another namespace.
  const labels = {
    'app.kubernetes.io/name': 'ces',
    'app.kubernetes.io/instance': 'ces',
    'app.kubernetes.io/component': 'operations',
  };
  const requests = names.map((namespace) => ({ namespace, name: 'foreign', labels, ports: [80] }));
  const probes = await startProbes(product.api, requests);
  return names.map((name, at) => [name, probes[at] as Probe]);
}

/** Runs the image's Node next to the program, so the test uses only the pod's network. */
async function tryFromPod(product: Product, pod: ProductPod, targets: readonly Target[]): Promise<readonly Outcome[]> {
  const script = `const net = require('node:net');
const attempt = ({ protocol, address }) => new Promise((resolve) => {
  const at = address.lastIndexOf(':');
  const begun = Date.now();
  const socket = net.connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)) });
  const end = (open, reason) => { socket.destroy(); resolve({ protocol, address, open, reason, millis: Date.now() - begun }); };
  socket.setTimeout(5000, () => end(false, 'no answer'));
  socket.on('connect', () => end(true));
  socket.on('error', (error) => end(false, error.message));
});
Promise.all(JSON.parse(process.argv[1]).map(attempt)).then((all) => console.log(JSON.stringify(all)));`;
  const quoted = [script, JSON.stringify(targets)].map((text) => `'${text.replaceAll("'", `'\\''`)}'`);
  const program = `kubectl --namespace ${NAMESPACE} exec ${pod.name} -- /nodejs/bin/node -e ${quoted.join(' ')}`;
  return JSON.parse(await product.shell(program)) as readonly Outcome[];
}
