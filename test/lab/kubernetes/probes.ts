import type { Api, KubernetesObject } from './api.ts';
import type { Labels } from './policies/objects.ts';
import { until } from './until.ts';

const READY_WITHIN_MS = 120_000;
const CONTROL_PORT = 8079;

export interface Target {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
}

export interface Outcome extends Target {
  readonly open: boolean;
  readonly reason?: string;
  readonly millis: number;
}

export interface Probe {
  readonly address: string;
  /**
   * Tries the targets from inside the pod. The node always reaches its control port, despite
   * policies.
   */
  try(targets: readonly Target[]): Promise<readonly Outcome[]>;
}

export interface ProbeRequest {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly ports: readonly number[];
}

export async function startProbes(api: Api, requests: readonly ProbeRequest[]): Promise<readonly Probe[]> {
  for (const request of requests) await api.apply(podOf(request));
  const probes: Probe[] = [];
  for (const { namespace, name } of requests) {
    let address = '';
    await until(`${namespace}/${name} is ready`, READY_WITHIN_MS, async () => {
      const { body } = await api.call('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
      const { status } = body as { status?: { podIP?: string; conditions?: { type: string; status: string }[] } };
      address = status?.podIP ?? '';
      return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
    });
    probes.push(probeAt(address));
  }
  return probes;
}

function probeAt(address: string): Probe {
  return { address, try: (targets) => ask(address, targets) };
}

async function ask(address: string, targets: readonly Target[]): Promise<readonly Outcome[]> {
  const response = await fetch(`http://${address}:${CONTROL_PORT}/try`, {
    method: 'POST',
    body: JSON.stringify(targets),
  });
  if (!response.ok) throw new Error(`the probe at ${address} answered ${response.status}`);
  return (await response.json()) as readonly Outcome[];
}

function podOf({ namespace, name, labels, ports }: ProbeRequest): KubernetesObject {
  const container = {
    ...{ name: 'probe', image: 'docker.io/lab/probe:1', imagePullPolicy: 'Never', args: [ports.join(',')] },
    ports: ports.flatMap((port) =>
      (['TCP', 'UDP'] as const).map((protocol) => ({
        ...{ containerPort: port, protocol, name: `serve-${port}-${protocol.toLowerCase()}` },
      })),
    ),
    readinessProbe: { tcpSocket: { port: CONTROL_PORT }, periodSeconds: 1 },
  };
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } },
    spec: { terminationGracePeriodSeconds: 0, automountServiceAccountToken: false, containers: [container] },
  } as KubernetesObject;
}
