import { type Manifest, readManifests, renderAs } from '@ces/chart/check/render';
import { type Component, listComponents } from '@ces/chart/components';
import { KUBERNETES } from '../build/programs.ts';
import { type Call, type Case, NAMESPACES, PODS, PORTS, type PodName, PROTOCOLS } from '../policies/case.ts';
import { CASES } from '../policies/cases.ts';
import type { NetworkPolicy } from '../policies/objects.ts';
import { type StandIn, type StandIns, startStandIns, type Wish } from '../policies/stand-ins.ts';
import type { Target } from '../probes.ts';
import type { Report, Seen } from '../report.ts';

const NAMES = NAMESPACES.flatMap((namespace) => PODS.map((pod): PodName => `${namespace}/${pod}`));
const ADMIN_PORT = 9090;
/** Takes calls of the release before. */
const PREVIOUS_PORT = 9091;
const COMPONENT = 'app.kubernetes.io/component';

/** The rules that policies are turned into, between network namespaces that stand for pods: no Kubernetes is needed. */
export async function tryEngine(probe: string, report: Report): Promise<void> {
  await report.row('rules of policies: the conformance cases between stand-ins', () => tryCases(probe));
  await report.row('edges of the chart between stand-ins', () => tryChart(probe));
}

async function tryCases(probe: string): Promise<Seen> {
  const wishes = NAMES.map((name): Wish => {
    const [namespace = '', pod = ''] = name.split('/');
    const ports = PORTS.flatMap((port) =>
      PROTOCOLS.map((protocol) => ({
        name: `serve-${port}-${protocol}`,
        containerPort: port,
        protocol: protocol.toUpperCase(),
      })),
    );
    return { namespace, name: pod, labels: { pod }, ports };
  });
  await using standIns = await startStandIns(probe, wishes, Object.fromEntries(NAMESPACES.map((ns) => [ns, { ns }])));
  const faults: string[] = [];
  let tried = 0;
  for (const one of CASES) {
    const { wrong, calls } = await tryCase(standIns, one);
    tried += calls;
    faults.push(...wrong.slice(0, 3).map((fault) => `${one.name}: ${fault}`));
  }
  return { figures: { cases: CASES.length, 'calls tried': tried }, faults };
}

async function tryCase({ pods, enforce }: StandIns, { steps }: Case) {
  const addressOf = (name: PodName) => pods[NAMES.indexOf(name)]?.address ?? '';
  const labels = new Map<string, Readonly<Record<string, string>>>();
  const wrong: string[] = [];
  let calls = 0;
  let policies: NetworkPolicy[] = [];
  for (const step of steps) {
    for (const [name, added] of Object.entries(step.labels ?? {})) labels.set(name, added);
    if (step.policies)
      policies = Object.entries(step.policies(addressOf)).map(([full, spec]) => {
        const [namespace = '', name = ''] = full.split('/');
        return { metadata: { namespace, name }, spec };
      });
    await enforce(policies, {
      pods: pods.map(({ pod }, at) => ({ ...pod, metadata: labelled(pod.metadata, labels.get(NAMES[at] ?? '')) })),
      namespaces: NAMESPACES.map((name) => ({
        metadata: labelled({ name, labels: { ns: name, 'kubernetes.io/metadata.name': name } }, labels.get(name)),
      })),
    });
    const seen = await Promise.all(NAMES.map((from) => tryFrom(from, pods, step.open)));
    calls += seen.reduce((sum, one) => sum + one.calls, 0);
    wrong.push(...seen.flatMap((one) => one.wrong));
  }
  return { wrong, calls };
}

function labelled<T extends { readonly labels?: Readonly<Record<string, string>> }>(metadata: T, added = {}): T {
  return { ...metadata, labels: { ...metadata.labels, ...added } };
}

async function tryFrom(from: PodName, pods: readonly StandIn[], open: (call: Call) => boolean) {
  const calls = NAMES.filter((to) => to !== from).flatMap((to) =>
    PORTS.flatMap((port) => PROTOCOLS.map((protocol): Call => ({ from, to, port, protocol }))),
  );
  const targets = calls.map(
    ({ to, port, protocol }): Target => ({ protocol, address: `${pods[NAMES.indexOf(to)]?.address}:${port}` }),
  );
  const outcomes = (await pods[NAMES.indexOf(from)]?.try(targets)) ?? [];
  const wrong = calls.flatMap((call, at) =>
    outcomes[at]?.open === open(call)
      ? []
      : [`${call.from} to ${call.to} at ${call.port}/${call.protocol} is ${outcomes[at]?.open ? 'open' : 'closed'}`],
  );
  return { wrong, calls: calls.length };
}

/** While hooks run only their own policies are there; afterwards all others. */
async function tryChart(probe: string): Promise<Seen> {
  const components = listComponents();
  const manifests = readManifests(await renderAs('ces', 'minimal.yaml', KUBERNETES));
  const wishes = [...programsIn(manifests), ...AROUND];
  await using standIns = await startStandIns(probe, wishes);
  const policies = manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map((policy) => ({
      isHook: isHook(policy),
      policy: { ...policy, metadata: { ...policy.metadata, namespace: 'ces' } } as unknown as NetworkPolicy,
    }));
  const faults: string[] = [];
  const seen = { open: 0, closed: 0 };
  for (const during of ['hooks', 'service'] as const) {
    await standIns.enforce(
      policies.flatMap(({ isHook: hook, policy }) => (hook === (during === 'hooks') ? [policy] : [])),
    );
    for (const from of standIns.pods) {
      const isMigration = componentOf(from).startsWith('migrate-');
      // Programs are not there before their migrations, nor migrations beside programs.
      if (from.pod.metadata.namespace === 'ces' && isMigration !== (during === 'hooks')) continue;
      const edges = standIns.pods
        .filter((to) => to !== from)
        .flatMap((to) => portsOf(to).map((port) => ({ to, ...port })));
      const outcomes = await from.try(
        edges.map(({ to, port, protocol }) => ({ protocol, address: `${to.address}:${port}` })),
      );
      for (const [at, { to, port, protocol }] of edges.entries()) {
        if (during === 'hooks' && to.pod.metadata.namespace === 'ces') continue;
        const isOpen = outcomes[at]?.open ?? false;
        seen[isOpen ? 'open' : 'closed'] += 1;
        if (isOpen !== isExpected(from, to, port, components))
          faults.push(
            `with the policies of ${during} ${nameOf(from)} to ${nameOf(to)} at ${port}/${protocol} is ${isOpen ? 'open' : 'closed'}`,
          );
      }
    }
  }
  return { figures: { pods: wishes.length, tried: seen.open + seen.closed, ...seen }, faults };
}

function isHook({ metadata }: Manifest): boolean {
  return (
    (metadata as { annotations?: Record<string, string> }).annotations?.['helm.sh/hook']?.includes('pre-install') ??
    false
  );
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly ports?: Wish['ports'] }[] };
}

/** One pod of each program and of each migration. */
function programsIn(manifests: readonly Manifest[]): Wish[] {
  return manifests
    .filter(
      ({ kind, metadata }) =>
        kind === 'Deployment' || (kind === 'Job' && metadata.labels?.[COMPONENT]?.startsWith('migrate-')),
    )
    .map(({ metadata, spec }) => {
      const { metadata: own, spec: pod } = (spec as { template: PodTemplate }).template;
      return {
        namespace: 'ces',
        name: metadata.name,
        labels: own.labels,
        ports: pod.containers.flatMap(({ ports = [] }) => ports),
      };
    });
}

const PRODUCT = { 'app.kubernetes.io/name': 'ces', 'app.kubernetes.io/instance': 'ces', [COMPONENT]: 'operations' };
const AROUND: readonly Wish[] = [
  { namespace: 'databases', name: 'postgres', labels: { app: 'postgres' }, ports: [{ containerPort: 5432 }] },
  { namespace: 'databases', name: 'another', labels: {}, ports: [{ containerPort: 5432 }] },
  {
    namespace: 'messaging',
    name: 'nats',
    labels: { 'app.kubernetes.io/name': 'nats' },
    ports: [{ containerPort: 4222 }, { containerPort: 8222 }],
  },
  { namespace: 'kube-system', name: 'dns', labels: { 'k8s-app': 'kube-dns' }, ports: [{ containerPort: 53 }] },
  { namespace: 'ingress-nginx', name: 'proxy', labels: {}, ports: [{ containerPort: 80 }] },
  { namespace: 'monitoring', name: 'scraper', labels: {}, ports: [{ containerPort: 9090 }] },
  // The labels of a program open nothing to a pod of another namespace.
  { namespace: 'strangers', name: 'stranger', labels: PRODUCT, ports: [{ containerPort: 80 }, { containerPort: 443 }] },
];

function portsOf({ pod }: StandIn): { port: number; protocol: Target['protocol'] }[] {
  const numbers = new Set(
    pod.spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort)),
  );
  return [...numbers].flatMap((port) =>
    (['tcp', 'udp'] as const)
      .filter((protocol) => protocol === 'tcp' || port === 53)
      .map((protocol) => ({ port, protocol })),
  );
}

function componentOf({ pod }: StandIn): string {
  return pod.metadata.namespace === 'ces' ? (pod.metadata.labels?.[COMPONENT] ?? '') : '';
}

function nameOf({ pod }: StandIn): string {
  return `${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** By the list of who calls whom; nothing else is open. */
function isExpected(from: StandIn, to: StandIn, port: number, components: readonly Component[]): boolean {
  const [caller, called] = [componentOf(from), componentOf(to)];
  const { namespace } = from.pod.metadata;
  if (called === '') {
    // What is no part of the release is closed to the release alone.
    if (caller === '') return true;
    const name = nameOf(to);
    if (name === 'kube-system/dns') return true;
    const program = components.find((one) => one.name === caller.replace(/^migrate-/, ''));
    if (name === 'databases/postgres') return program?.database ?? false;
    return name === 'messaging/nats' && port === 4222 && caller === program?.name && program.broker;
  }
  if (port === ADMIN_PORT) return namespace === 'monitoring';
  const isCaller = components.some(({ name, calls }) => name === caller && calls.includes(called as never));
  if (port === PREVIOUS_PORT) return isCaller;
  return isCaller || (called === 'gateway' && namespace === 'ingress-nginx');
}
