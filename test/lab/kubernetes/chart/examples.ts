import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CERTIFICATES } from '@ces/chart/check/certificates';
import { findModule, isThere, run } from '@ces/chart/check/programs';
import { CHART, listExamples, type Manifest, readManifests } from '@ces/chart/check/render';
import { CUSTOM } from '@ces/chart/check/schemas';
import { REPOSITORY } from '@ces/topology/services';
import { parseAllDocuments } from 'yaml';
import type { Api, KubernetesObject } from '../api.ts';
import { remove } from '../apply.ts';
import { startControlPlane, WITHOUT_NODES } from '../node/control-plane.ts';
import type { Report, Seen } from '../report.ts';
import { incomplete, misdirected } from './endpoints.ts';
import { startNode } from './node.ts';
import {
  chartAt,
  manifestsOf,
  objectsOf,
  podsWithout,
  type Release,
  removeKept,
  renderedOf,
  rollBack,
  uninstall,
  upgrade,
  type Version,
  watchAvailability,
} from './release.ts';
import { type Secrets, secretsOf, withNeeded } from './secrets.ts';

/** The resources without which those of the chart and its examples cannot be made. */
const DEFINITIONS = [
  'certificates.cert-manager.io',
  'issuers.cert-manager.io',
  'clusters.postgresql.cnpg.io',
  'objectstores.barmancloud.cnpg.io',
  'podmonitors.monitoring.coreos.com',
  'prometheusrules.monitoring.coreos.com',
  'scheduledbackups.postgresql.cnpg.io',
  'servicemonitors.monitoring.coreos.com',
];
const GONE_WITHIN_MS = 60_000;
/** On Secrets that the guides say how to make. */
const GUIDE = 'by-the-guide';

/**
 * Every example is installed, upgraded, rolled back and uninstalled on an API server that admits restricted pods alone, and
 * whose node only says that pods run. `from` names the commit of the chart before, else it is the one before its last change.
 */
export async function tryExamples(bin: string, report: Report, from: string | undefined): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const wish = { bin, address: '127.0.0.1', controllers: WITHOUT_NODES };
  const { api, kubeconfig } = cleanup.use(await startControlPlane(wish));
  const node = cleanup.use(await startNode(api));
  for (const name of DEFINITIONS) await api.apply(await definitionOf(name));
  const before = await chartBefore(from, cleanup);
  await report.row('a pod that is not restricted is rejected', () => expectAdmission(api));
  await report.row('cert-manager would take the certificates', () => applyCertificates(api));
  for (const example of await listExamples())
    await report.row(`${example}: installed, upgraded, rolled back, uninstalled`, async () => {
      const namespace = path.basename(example, '.yaml');
      await makeNamespace(api, namespace);
      const isNew = !(await isThere(path.join(before.chart, 'examples', example)));
      const old = isNew ? CHART : before.chart;
      return { figures: { from: before.name }, faults: await tryRelease({ api, kubeconfig, namespace, example }, old) };
    });
  await report.row('every pod had the keys that it needs', async () => ({ faults: node.faults }));
}

/** Each version finds the Secrets that are made for it, and no other. */
async function tryRelease(release: Release, before: string): Promise<string[]> {
  const old: Version = { chart: before, mark: 'before' };
  const now: Version = { chart: CHART, mark: 'now' };
  const secrets = await secretsOf(release.example);
  const oldSecrets = withNeeded(secrets, await renderedOf(release, old));
  await putSecrets(release, oldSecrets);
  const faults = [...(await upgrade(release, old)), ...(await stateFaults(release, old))];
  for (const [what, work, version] of [
    ['upgrade', () => upgrade(release, now), now],
    ['rollback', () => rollBack(release, 1), old],
    ['second upgrade', () => upgrade(release, now), now],
  ] as const) {
    await putSecrets(release, version === old ? oldSecrets : secrets);
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
async function expectAdmission(api: Api): Promise<Seen> {
  await makeNamespace(api, 'admission');
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'root' } },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'root', image: 'root' }] },
  };
  const { status, body } = await api.call('POST', '/api/v1/namespaces/admission/pods', pod);
  const isRefused = status === 403 && JSON.stringify(body).includes('violates PodSecurity');
  return { faults: isRefused ? [] : [`${status} ${JSON.stringify(body)}`] };
}

async function makeNamespace(api: Api, name: string): Promise<void> {
  const security = 'pod-security.kubernetes.io';
  const labels = { [`${security}/enforce`]: 'restricted', [`${security}/warn`]: 'restricted' };
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

/** These, and of those that were put before none that is not among them. */
async function putSecrets({ api, namespace }: Release, secrets: Secrets): Promise<void> {
  const place = `/api/v1/namespaces/${namespace}/secrets`;
  for (const { metadata } of await api.list(`${place}?labelSelector=${GUIDE}`))
    if (!secrets.has(metadata.name)) await remove(api, `${place}/${metadata.name}`);
  for (const [name, keys] of secrets) {
    const metadata = { name, namespace, labels: { [GUIDE]: 'true' } };
    const encoded = Object.entries(keys).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
    await api.apply({ apiVersion: 'v1', kind: 'Secret', metadata, data: Object.fromEntries(encoded) });
  }
}

/** What the example of mutual TLS asks cert-manager for is as its definitions want it; nothing is made of it here. */
async function applyCertificates(api: Api): Promise<Seen> {
  await makeNamespace(api, 'certificates');
  for (const object of readManifests(await readFile(CERTIFICATES, 'utf8')) as unknown as readonly KubernetesObject[])
    await api.apply({ ...object, metadata: { ...object.metadata, namespace: 'certificates' } });
  return {};
}

async function chartBefore(from: string | undefined, cleanup: AsyncDisposableStack) {
  const place = path.relative(REPOSITORY, CHART);
  const log = await run('git', ['-C', REPOSITORY, 'log', '-2', '--format=%H', '--', place]);
  const commit = from ?? log.trim().split('\n')[1];
  if (!commit) return { name: 'the same chart: the history has no earlier one', chart: CHART };
  return { name: commit.slice(0, 8), chart: await chartAt(commit, REPOSITORY, cleanup) };
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
