import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findProgram, run, runWithMessages } from '@ces/chart/check/programs';
import { CHART, type Manifest, readManifests } from '@ces/chart/check/render';
import type { Api, KubernetesObject } from '../api.ts';
import { misdirected } from './endpoints.ts';

/** A chart as it is, or was at a commit. */
export interface Version {
  readonly chart: string;
  /** Stands on every pod, so that an upgrade always replaces them. */
  readonly mark: string;
}

/** The release of an example in a namespace of its own. */
export interface Release {
  readonly api: Api;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly example: string;
}

const NAME = 'ces';
const TIMEOUT = '180s';
/** Warnings of the API server that say that a manifest is wrong or will be. */
const WARNING = /would violate PodSecurity|unknown field|deprecated|unrecognized/i;

export async function upgrade(release: Release, version: Version): Promise<string[]> {
  return await helm(release, [
    ...['upgrade', '--install', NAME, version.chart, '--wait', '--timeout', TIMEOUT, '--description', version.mark],
    ...['--values', path.join(version.chart, 'examples', release.example)],
    ...['--set-string', `defaults.podAnnotations.mark=${version.mark}`],
  ]);
}

/** What it would consist of. */
export async function renderedOf(
  { namespace, example }: Omit<Release, 'api'>,
  { chart }: Version,
): Promise<Manifest[]> {
  const values = ['--values', path.join(chart, 'examples', example)];
  const program = await findProgram('helm');
  return readManifests(await run(program, ['template', NAME, chart, '--namespace', namespace, ...values]));
}

export async function rollBack(release: Release, revision: number): Promise<string[]> {
  return await helm(release, ['rollback', NAME, String(revision), '--wait', '--timeout', TIMEOUT]);
}

export async function uninstall(release: Release): Promise<string[]> {
  return await helm(release, ['uninstall', NAME, '--wait', '--timeout', TIMEOUT]);
}

/** What the release consists of, as helm has stored it. */
export async function manifestsOf({ kubeconfig, namespace }: Release): Promise<Manifest[]> {
  const program = await findProgram('helm');
  return readManifests(await run(program, ['get', 'manifest', NAME, '-n', namespace, '--kubeconfig', kubeconfig]));
}

/** Everything of the release in its namespace that the API server has, made by whatever. */
export async function objectsOf({ api, namespace }: Release): Promise<string[]> {
  const selector = 'labelSelector=app.kubernetes.io%2Finstance%3Dces';
  const found: string[] = [];
  for (const [group, kinds] of KINDS)
    for (const kind of kinds)
      for (const { metadata } of await api.list(`${group}/namespaces/${namespace}/${kind}?${selector}`))
        found.push(`${kind}/${metadata.name}`);
  return found;
}

const KINDS = [
  ['/api/v1', ['configmaps', 'pods', 'secrets', 'serviceaccounts', 'services']],
  ['/apis/apps/v1', ['deployments', 'replicasets']],
  ['/apis/autoscaling/v2', ['horizontalpodautoscalers']],
  ['/apis/batch/v1', ['jobs']],
  ['/apis/monitoring.coreos.com/v1', ['podmonitors', 'prometheusrules', 'servicemonitors']],
  ['/apis/networking.k8s.io/v1', ['ingresses', 'networkpolicies']],
  ['/apis/policy/v1', ['poddisruptionbudgets']],
  ['/apis/barmancloud.cnpg.io/v1', ['objectstores']],
  ['/apis/postgresql.cnpg.io/v1', ['clusters', 'scheduledbackups']],
] as const;

/** Removes what says that helm is to leave it; how many objects. */
export async function removeKept({ api, namespace }: Release): Promise<number> {
  let removed = 0;
  for (const kinds of [
    '/api/v1/namespaces/NAMESPACE/services',
    '/apis/networking.k8s.io/v1/namespaces/NAMESPACE/networkpolicies',
    '/apis/barmancloud.cnpg.io/v1/namespaces/NAMESPACE/objectstores',
    '/apis/postgresql.cnpg.io/v1/namespaces/NAMESPACE/clusters',
    '/apis/postgresql.cnpg.io/v1/namespaces/NAMESPACE/scheduledbackups',
  ])
    for (const { metadata } of await api.list(kinds.replace('NAMESPACE', namespace)))
      if (metadata.annotations?.['helm.sh/resource-policy'] === 'keep') {
        await api.call('DELETE', `${kinds.replace('NAMESPACE', namespace)}/${metadata.name}`);
        removed += 1;
      }
  return removed;
}

/** Runs `work`, and notes each Deployment that has fewer pods available than it wants meanwhile, and calls that go astray. */
export async function watchAvailability<T>({ api, namespace }: Release, work: Promise<T>) {
  const short = new Set<string>();
  const astray = new Set<string>();
  let over = false;
  const watching = (async () => {
    for (; !over; await pause(100)) {
      for (const fault of await misdirected(api, namespace)) astray.add(fault);
      for (const { metadata, spec, status } of await api.list(`/apis/apps/v1/namespaces/${namespace}/deployments`))
        if ((status?.availableReplicas ?? 0) < (spec?.replicas ?? 1)) short.add(metadata.name);
    }
  })();
  const ended = work.finally(() => {
    over = true;
  });
  const [result] = await Promise.all([ended, watching]);
  return { result, short: [...short], astray: [...astray] };
}

/** Pods of the release that carry another mark. */
export async function podsWithout({ api, namespace }: Release, mark: string): Promise<readonly KubernetesObject[]> {
  const pods = await api.list(`/api/v1/namespaces/${namespace}/pods`);
  return pods.filter(
    ({ metadata }) =>
      metadata.ownerReferences?.some(({ kind }) => kind === 'ReplicaSet') && metadata.annotations?.mark !== mark,
  );
}

/** The chart as it was at a commit, until disposed. */
export async function chartAt(commit: string, repository: string, cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-chart-before-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
  const archive = path.join(folder, 'chart.tar');
  const directory = path.relative(repository, CHART);
  await run('git', ['-C', repository, 'archive', '--output', archive, commit, directory]);
  await run('tar', ['-xf', archive, '-C', folder]);
  return path.join(folder, directory);
}

/** What the API server warned of. */
async function helm({ kubeconfig, namespace }: Release, parameters: readonly string[]): Promise<string[]> {
  const program = await findProgram('helm');
  const all = [...parameters, '--namespace', namespace, '--kubeconfig', kubeconfig];
  const { stderr } = await runWithMessages(program, all);
  return stderr.split('\n').filter((line) => WARNING.test(line));
}
