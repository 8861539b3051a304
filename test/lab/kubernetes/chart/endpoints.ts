import { setTimeout as pause } from 'node:timers/promises';
import type { Api, KubernetesObject } from '../api.ts';

interface Slice extends KubernetesObject {
  readonly endpoints?: readonly { readonly targetRef?: { readonly name: string } }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** A pod behind a Service, with the port at which it gets calls. */
interface Target {
  readonly service: string;
  readonly pod: string;
  readonly port: number;
}

const SETTLED_WITHIN_MS = 60_000;
const CALL_PORTS = ['rpc', 'grpc'];

/**
 * Where calls go astray: every pod calls Services that have pods, and calls arrive where the pod understands them, be it of
 * this release or of the one before. That is, of one address, at the port named `main` where there is one, since callers of
 * the release before come there; of `-pods`, at the port that speaks gRPC.
 */
export async function misdirected(api: Api, namespace: string): Promise<string[]> {
  const pods = new Map((await podsIn(api, namespace)).map((pod) => [pod.metadata.name, pod]));
  const targets = await targetsIn(api, namespace);
  const reached = new Set(targets.map(({ service }) => service));
  const lost = [...pods].flatMap(([pod, { spec }]) =>
    peersOf(spec).flatMap((host) => (reached.has(host) ? [] : [`${pod} calls ${host}, which has no pods`])),
  );
  const misled = targets.flatMap(({ service, pod, port }) => {
    const named = pods.get(pod)?.spec?.containers?.[0]?.ports ?? [];
    const wanted = service.endsWith('-pods') ? ['grpc', 'main'] : ['main', 'grpc'];
    const expected = wanted.flatMap((name) => named.find((one) => one.name === name) ?? [])[0]?.containerPort;
    // A pod that has just gone is in slices a moment longer.
    return expected === undefined || expected === port ? [] : [`${service} sends calls to port ${port} of ${pod}`];
  });
  return [...lost, ...misled];
}

/** Services whose addresses a pod was given. */
function peersOf(spec: KubernetesObject['spec']): string[] {
  const env = spec?.containers?.[0]?.env ?? [];
  return env
    .filter(({ name, value }) => /^CES_[A-Z]+_URL$/.test(name) && name !== 'CES_PUBLIC_URL' && value)
    .map(({ value = '' }) => new URL(value).hostname);
}

/** Services that do not stand for every pod of their program, once the controllers have had time. */
export async function incomplete(api: Api, namespace: string): Promise<string[]> {
  for (const deadline = performance.now() + SETTLED_WITHIN_MS; ; await pause(300)) {
    const faults = await incompleteNow(api, namespace);
    if (faults.length === 0 || performance.now() > deadline) return faults;
  }
}

async function incompleteNow(api: Api, namespace: string): Promise<string[]> {
  const targets = await targetsIn(api, namespace);
  const pods = await podsIn(api, namespace);
  const services = await api.list(`/api/v1/namespaces/${namespace}/services`);
  return services.flatMap(({ metadata }) => {
    const name = metadata.name.replace(/-pods$/, '');
    if (name.endsWith('-gateway')) return [];
    const reached = new Set(targets.filter(({ service }) => service === metadata.name).map(({ pod }) => pod));
    const all = pods.filter((pod) => pod.metadata.name.startsWith(`${name}-`) && !pod.metadata.deletionTimestamp);
    return all
      .filter((pod) => !reached.has(pod.metadata.name))
      .map((pod) => `${metadata.name} does not stand for ${pod.metadata.name}`);
  });
}

async function targetsIn(api: Api, namespace: string): Promise<Target[]> {
  const slices = (await api.list(
    `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
  )) as readonly Slice[];
  return slices.flatMap(({ metadata, endpoints, ports }) => {
    const service = metadata.labels?.['kubernetes.io/service-name'] ?? '';
    const called = (ports ?? []).filter(({ name = '' }) => CALL_PORTS.includes(name));
    return (endpoints ?? []).flatMap(({ targetRef }) =>
      called.map(({ port = 0 }) => ({ service, pod: targetRef?.name ?? '', port })),
    );
  });
}

async function podsIn(api: Api, namespace: string): Promise<readonly KubernetesObject[]> {
  const pods = await api.list(`/api/v1/namespaces/${namespace}/pods`);
  return pods.filter(({ metadata }) => metadata.ownerReferences?.some(({ kind }) => kind === 'ReplicaSet'));
}
