import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '@ces/topology/services';
import { parseAllDocuments } from 'yaml';
import { CERTIFICATES } from '../check/certificates.ts';
import { findModule, hasGo, isThere, run } from '../check/programs.ts';
import { CHART, listExamples, type Manifest, readManifests } from '../check/render.ts';
import { CUSTOM } from '../check/schemas.ts';
import type { Api, KubernetesObject } from './api.ts';
import { startControlPlane } from './control-plane.ts';
import { incomplete, misdirected } from './endpoints.ts';
import { startNode } from './node.ts';
import {
  chartAt,
  manifestsOf,
  objectsOf,
  podsWithout,
  type Release,
  removeKept,
  rollBack,
  uninstall,
  upgrade,
  type Version,
  watchAvailability,
} from './release.ts';
import { secretsOf } from './secrets.ts';

/** The resources without which those of the chart and its examples cannot be made. */
const DEFINITIONS = [
  'certificates.cert-manager.io',
  'issuers.cert-manager.io',
  'clusters.postgresql.cnpg.io',
  'objectstores.barmancloud.cnpg.io',
  'podmonitors.monitoring.coreos.com',
  'scheduledbackups.postgresql.cnpg.io',
  'prometheusrules.monitoring.coreos.com',
  'servicemonitors.monitoring.coreos.com',
];
const GONE_WITHIN_MS = 60_000;

if (await hasGo()) await main();
else process.stdout.write('SKIPPED: there is no Go here to build a Kubernetes API server.\n');

/** Every example is installed, upgraded, rolled back and uninstalled on a real API server that admits restricted pods alone. */
async function main(): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const controlPlane = cleanup.use(await startControlPlane());
  const { api, kubeconfig } = controlPlane;
  const node = cleanup.use(await startNode(api));
  for (const name of DEFINITIONS) await api.apply(await definitionOf(name));
  const before = await chartBefore(cleanup);
  await expectAdmission(api);
  await applyCertificates(api);
  for (const example of await listExamples()) {
    const namespace = path.basename(example, '.yaml');
    await makeNamespace(api, namespace, await secretsOf(example));
    const isNew = !(await isThere(path.join(before, 'examples', example)));
    const faults = await tryRelease({ api, kubeconfig, namespace, example }, isNew ? CHART : before);
    report(`${example}: installed, upgraded, rolled back, uninstalled`, faults);
  }
  report('every pod had the keys that it needs', node.faults);
}

async function tryRelease(release: Release, before: string): Promise<string[]> {
  const old: Version = { chart: before, mark: 'before' };
  const now: Version = { chart: CHART, mark: 'now' };
  const faults = [...(await upgrade(release, old)), ...(await stateFaults(release, old))];
  for (const [what, work, version] of [
    ['upgrade', () => upgrade(release, now), now],
    ['rollback', () => rollBack(release, 1), old],
    ['second upgrade', () => upgrade(release, now), now],
  ] as const) {
    const { result: warnings, short, astray } = await watchAvailability(release, work());
    faults.push(...warnings, ...short.map((name) => `${name} lacked pods during the ${what}`));
    faults.push(...astray.map((fault) => `during the ${what} ${fault}`));
    faults.push(...(await stateFaults(release, version)));
  }
  faults.push(...(await uninstall(release)));
  await removeKept(release);
  const left = await untilGone(release);
  return [...faults, ...left.map((object) => `${object} is left after the uninstallation`)];
}

/** What is left of a release when what had an owner has had time to follow it. */
async function untilGone(release: Release): Promise<string[]> {
  for (const deadline = performance.now() + GONE_WITHIN_MS; ; await pause(300)) {
    const left = await objectsOf(release);
    if (left.length === 0 || performance.now() > deadline) return left;
  }
}

/** What differs from what helm says is installed. */
async function stateFaults(release: Release, { mark }: Version): Promise<string[]> {
  const { api, namespace } = release;
  const faults: string[] = [];
  for (const manifest of await manifestsOf(release)) faults.push(...(await objectFaults(api, namespace, manifest)));
  for (const { metadata } of await podsWithout(release, mark)) faults.push(`${metadata.name} is not of ${mark}`);
  return [...faults, ...(await incomplete(api, namespace)), ...(await misdirected(api, namespace))];
}

async function objectFaults(api: Api, namespace: string, manifest: Manifest): Promise<string[]> {
  const { status, body } = await api.call('GET', await api.pathOf(manifest as KubernetesObject, namespace));
  const what = `${manifest.kind} ${manifest.metadata.name}`;
  if (status !== 200) return [`${what} is not there`];
  if (manifest.kind !== 'Deployment') return [];
  const { spec, status: state } = body as KubernetesObject;
  return state?.readyReplicas === spec?.replicas
    ? []
    : [`${what} has ${state?.readyReplicas} of ${spec?.replicas} pods`];
}

/** Admission is on: otherwise all that follows proves nothing of pod security. */
async function expectAdmission(api: Api): Promise<void> {
  await makeNamespace(api, 'admission', new Map());
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'root' } },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'root', image: 'root' }] },
  };
  const { status, body } = await api.call('POST', '/api/v1/namespaces/admission/pods', pod);
  const isRefused = status === 403 && JSON.stringify(body).includes('violates PodSecurity');
  report('a pod that is not restricted is rejected', isRefused ? [] : [`${status} ${JSON.stringify(body)}`]);
}

async function makeNamespace(api: Api, name: string, secrets: ReadonlyMap<string, Record<string, string>>) {
  const security = 'pod-security.kubernetes.io';
  const labels = { [`${security}/enforce`]: 'restricted', [`${security}/warn`]: 'restricted' };
  const metadata: KubernetesObject['metadata'] & { labels: typeof labels } = { name, labels };
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata });
  for (const [secret, stringData] of secrets) {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret, namespace: name }, stringData };
    await api.apply(object);
  }
}

/** What the example of mutual TLS asks cert-manager for is as its definitions want it; nothing is made of it here. */
async function applyCertificates(api: Api): Promise<void> {
  await makeNamespace(api, 'certificates', new Map());
  for (const object of readManifests(await readFile(CERTIFICATES, 'utf8')) as unknown as readonly KubernetesObject[])
    await api.apply({ ...object, metadata: { ...object.metadata, namespace: 'certificates' } });
  report('cert-manager would take the certificates', []);
}

/** The chart at the commit that `--from` names, else before the last commit that changed it. */
async function chartBefore(cleanup: AsyncDisposableStack): Promise<string> {
  const place = path.relative(REPOSITORY, CHART);
  const log = await run('git', ['-C', REPOSITORY, 'log', '-2', '--format=%H', '--', place]);
  const commit = parseArgs({ options: { from: { type: 'string' } } }).values.from ?? log.trim().split('\n')[1];
  if (!commit) {
    process.stdout.write('SKIPPED: the history has no earlier chart; the upgrade is to the same one\n');
    return CHART;
  }
  process.stdout.write(`upgrades are from the chart of ${commit.slice(0, 8)}\n`);
  return await chartAt(commit, REPOSITORY, cleanup);
}

async function definitionOf(name: string): Promise<KubernetesObject> {
  for (const [module, place] of CUSTOM) {
    const folder = path.join(await findModule(module), place);
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.yaml')) continue;
      const object = parseAllDocuments(await readFile(path.join(folder, file), 'utf8'))[0]?.toJS();
      if (object?.kind === 'CustomResourceDefinition' && object.metadata.name === name) return object;
    }
  }
  throw new Error(`there is no definition of ${name}`);
}

function report(what: string, faults: readonly string[]): void {
  process.stdout.write(`${what}${faults.length === 0 ? ', all as expected' : ''}\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  if (faults.length > 0) process.exitCode = 1;
}
