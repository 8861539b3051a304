import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from '@ces/chart/check/programs';
import { type Probe, probeAt } from '../probes.ts';
import { until } from '../until.ts';
import type { ClusterState, Labels, Namespace, NetworkPolicy, Pod } from './objects.ts';
import { rulesOf } from './rules.ts';

const NETWORK = '10.244.0.0/24';
const GATEWAY = '10.244.0.1';
const ANSWERS_WITHIN_MS = 20_000;

/** A network namespace that stands for a pod, linked to the node as a pod is, with a probe in it. */
export interface StandIn extends Probe {
  readonly pod: Pod;
}

/** A pod as it is wished for: ports by number, which the probe answers on. */
export interface Wish {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly ports: readonly { readonly name?: string; readonly containerPort: number; readonly protocol?: string }[];
}

/** Pods without Kubernetes, and policies in force between them; for the machine of its own that `enter.sh` makes. */
export interface StandIns extends AsyncDisposable {
  readonly pods: readonly StandIn[];
  /** Puts these policies into force in place of those before. `changed` are the pods and namespaces with other labels. */
  enforce(
    policies: readonly NetworkPolicy[],
    changed?: Partial<Pick<ClusterState, 'pods' | 'namespaces'>>,
  ): Promise<void>;
}

/** Namespaces have the labels given and their names. */
export async function startStandIns(
  program: string,
  wishes: readonly Wish[],
  labels: Readonly<Record<string, Labels>> = {},
): Promise<StandIns> {
  const cleanup = new AsyncDisposableStack();
  const pods: StandIn[] = [];
  for (const [at, wish] of wishes.entries()) pods.push(await startOne(program, wish, at, cleanup));
  const namespaces = [...new Set(wishes.map(({ namespace }) => namespace))].map(
    (name): Namespace => ({ metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels[name] } } }),
  );
  const state = { namespaces, pods: pods.map(({ pod }) => pod) };
  return {
    pods,
    enforce: (policies, changed = {}) => nft(rulesOf({ ...state, ...changed, policies }, NETWORK)),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

async function startOne(program: string, wish: Wish, at: number, cleanup: AsyncDisposableStack): Promise<StandIn> {
  const { namespace, name, labels, ports } = wish;
  const address = `10.244.0.${at + 2}`;
  const own = `pod${at}`;
  await run('bash', ['-euc', linkOf(own, address)]);
  cleanup.defer(async () => void (await run('ip', ['netns', 'delete', own])));
  const numbers = [...new Set(ports.map(({ containerPort }) => containerPort))];
  const child = spawn('ip', ['netns', 'exec', own, program, numbers.join(',')], { stdio: 'inherit' });
  cleanup.defer(() => end(child));
  const probe = probeAt(address);
  await until(`the probe of ${namespace}/${name} answers`, ANSWERS_WITHIN_MS, () =>
    probe.try([]).then(
      () => true,
      () => false,
    ),
  );
  const metadata = { namespace, name, labels };
  const pod: Pod = { metadata, spec: { containers: [{ ports }] }, status: { phase: 'Running', podIP: address } };
  return { ...probe, pod };
}

/** As the plugin `ptp` links a pod. */
function linkOf(name: string, address: string): string {
  return `ip netns add ${name}
ip link add ${name} type veth peer name eth0 netns ${name}
ip address add ${GATEWAY}/32 dev ${name}
ip link set ${name} up
ip route add ${address}/32 dev ${name}
ip -n ${name} address add ${address}/32 dev eth0
ip -n ${name} link set eth0 up
ip -n ${name} link set lo up
ip -n ${name} route add ${GATEWAY}/32 dev eth0
ip -n ${name} route add default via ${GATEWAY} dev eth0`;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Replaces the rules of this network namespace. */
export async function nft(text: string): Promise<void> {
  const child = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages += chunk;
  });
  child.stdin.end(text);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`nft refused the rules: ${messages.slice(0, 2_000)}`);
}
