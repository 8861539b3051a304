import type { Api } from '../api.ts';
import { remove } from '../apply.ts';
import type { Cluster } from '../node/start.ts';
import { type Call, type Case, NAMESPACES, PODS, PORTS, type PodName, PROTOCOLS, type Step } from '../policies/case.ts';
import { CASES } from '../policies/cases.ts';
import { type Probe, startProbes } from '../probes.ts';
import type { Report } from '../report.ts';

const IN_FORCE_WITHIN_MS = 10_000;
const NAMES = NAMESPACES.flatMap((namespace) => PODS.map((pod): PodName => `${namespace}/${pod}`));

type Probes = ReadonlyMap<PodName, Probe>;

/** Each case of the conformance tests, in all calls between nine pods. */
export async function tryPolicies({ api, policies }: Cluster, report: Report): Promise<void> {
  const before = policies.replacements();
  await report.row('policies enforced', async () => {
    const probes = await startPods(api);
    const faults: string[] = [];
    const settled: number[] = [];
    for (const one of CASES) {
      const { wrong, millis } = await tryCase(api, probes, one);
      faults.push(...wrong.slice(0, 3).map((fault) => `${one.name}: ${fault}`));
      settled.push(...millis);
    }
    for (const namespace of NAMESPACES) await remove(api, `/api/v1/namespaces/${namespace}`);
    const figures = {
      cases: CASES.length,
      'calls a step': NAMES.length * (NAMES.length - 1) * PORTS.length * PROTOCOLS.length,
      steps: settled.length,
      'slowest step in force, ms': Math.round(Math.max(...settled)),
      'rules replaced': policies.replacements() - before,
    };
    return { figures, faults };
  });
}

async function startPods(api: Api): Promise<Probes> {
  for (const name of NAMESPACES)
    await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ns: name } } });
  const wishes = NAMES.map((name) => {
    const [namespace = '', pod = ''] = name.split('/');
    return { namespace, name: pod, labels: { pod }, ports: PORTS };
  });
  const probes = await startProbes(api, wishes);
  return new Map(NAMES.map((name, place) => [name, probes[place] as Probe]));
}

async function tryCase(api: Api, probes: Probes, { steps }: Case) {
  const wrong: string[] = [];
  const millis: number[] = [];
  const made = new Set<string>();
  const changed: [path: string, labels: Readonly<Record<string, null>>][] = [];
  for (const step of steps) {
    await prepare(api, probes, step, made, changed);
    const { last, took } = await untilAsExpected(probes, step);
    wrong.push(...last);
    millis.push(took);
  }
  for (const name of made) await remove(api, pathOf(name));
  for (const [path, labels] of changed) await label(api, path, labels);
  return { wrong, millis };
}

async function prepare(
  api: Api,
  probes: Probes,
  { policies, labels = {} }: Step,
  made: Set<string>,
  changed: [path: string, labels: Readonly<Record<string, null>>][],
): Promise<void> {
  if (policies) {
    const wanted = policies((name) => (probes.get(name) as Probe).address);
    for (const name of made) if (!(name in wanted)) await remove(api, pathOf(name));
    for (const [full, spec] of Object.entries(wanted)) {
      const [namespace = '', name = ''] = full.split('/');
      const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace, name }, spec };
      await api.apply(policy);
      made.add(full);
    }
  }
  for (const [name, added] of Object.entries(labels)) {
    const [namespace, pod] = name.split('/');
    const path = pod ? `/api/v1/namespaces/${namespace}/pods/${pod}` : `/api/v1/namespaces/${namespace}`;
    await label(api, path, added);
    changed.push([path, Object.fromEntries(Object.keys(added).map((key) => [key, null]))]);
  }
}

function pathOf(policy: string): string {
  const [namespace, name] = policy.split('/');
  return `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`;
}

async function label(api: Api, path: string, labels: Readonly<Record<string, string | null>>): Promise<void> {
  const { status, body } = await api.call('PATCH', path, { metadata: { labels } }, 'application/merge-patch+json');
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
}

/** Calls that are not as expected, once that does not change any more or is as expected. */
async function untilAsExpected(probes: Probes, { open }: Step): Promise<{ last: string[]; took: number }> {
  const begun = performance.now();
  for (;;) {
    const last = await differences(probes, open);
    const took = performance.now() - begun;
    if (last.length === 0 || took > IN_FORCE_WITHIN_MS) return { last, took };
  }
}

async function differences(probes: Probes, open: (call: Call) => boolean): Promise<string[]> {
  const all = await Promise.all(NAMES.map((from) => differencesFrom(from, probes, open)));
  return all.flat();
}

async function differencesFrom(from: PodName, probes: Probes, open: (call: Call) => boolean): Promise<string[]> {
  const calls = NAMES.filter((to) => to !== from).flatMap((to) =>
    PORTS.flatMap((port) => PROTOCOLS.map((protocol): Call => ({ from, to, port, protocol }))),
  );
  const targets = calls.map(({ to, port, protocol }) => ({ protocol, address: `${probes.get(to)?.address}:${port}` }));
  const outcomes = (await probes.get(from)?.try(targets)) ?? [];
  return calls.flatMap((call, place) => {
    const isOpen = outcomes[place]?.open;
    if (isOpen === open(call)) return [];
    return [`${call.from} to ${call.to} at ${call.port}/${call.protocol} is ${isOpen ? 'open' : 'closed'}`];
  });
}
