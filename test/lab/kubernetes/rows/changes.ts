import type { Release } from '../chart/release.ts';
import { kubectl, list } from '../kubectl.ts';
import type { UnderCalls } from '../product/load.ts';
import { NAMESPACE, type Product, podsOf } from '../product/product.ts';
import type { Seen } from '../report.ts';
import { until } from '../until.ts';
import { CURRENT, upgradeTo } from './install.ts';

const REPLACED_WITHIN_MS = 300_000;

export interface Before extends Release {
  readonly commit: string;
  readonly tag: string;
}

export async function tryChanges(
  product: Product,
  { noneFails, eachIsAnswered }: { readonly noneFails: UnderCalls; readonly eachIsAnswered: UnderCalls },
  before: Before | undefined,
): Promise<void> {
  const byHelm = (row: string, command: string) =>
    noneFails(row, async () => {
      await product.shell(command);
      return undefined;
    });
  if (before) {
    await byHelm(
      `back to the chart and image of ${before.commit}`,
      upgradeTo(product, before, `--set image.tag=${before.tag}`),
    );
    await byHelm('upgraded from them', upgradeTo(product, CURRENT));
    await byHelm('rolled back', 'helm rollback ces --namespace ces --wait --timeout 10m');
    await byHelm('upgraded again', upgradeTo(product, CURRENT));
  }
  await byHelm('every pod replaced', upgradeTo(product, CURRENT, '--set-string defaults.podAnnotations.mark=replaced'));
  await noneFails('every pod evicted, program after program', evictAll);
  await noneFails('a version that never gets ready', () => tryNeverReady(product));
  await noneFails('every pod deleted, one after the other', () => deleteEach(product, ''));
  await eachIsAnswered('every pod killed, one after the other', () => deleteEach(product, ' --grace-period 0 --force'));
}

/**
 * Evicts the pods of each program through the Eviction API, which respects disruption budgets.
 * Retries refusals.
 */
async function evictAll(): Promise<Seen> {
  const pods = await podsOf();
  let refused = 0;
  const evict = async (name: string) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: NAMESPACE } };
    const url = `/api/v1/namespaces/${NAMESPACE}/pods/${name}/eviction`;
    await until(`${name} is evicted`, REPLACED_WITHIN_MS, async () => {
      const reason = await kubectl(['create', '--raw', url, '--filename', '-'], eviction).then(
        () => '',
        (error: Error) => error.message,
      );
      if (/disruption budget/.test(reason)) refused += 1;
      return reason === '' || /NotFound|not found/.test(reason);
    });
  };
  for (const own of Map.groupBy(pods, ({ program }) => program).values()) {
    const names = own.map(({ name }) => name);
    await Promise.all(names.map(evict));
    await untilReplaced(names);
  }
  return { figures: { pods: pods.length, 'refused by budgets': refused } };
}

async function deleteEach(product: Product, options: string): Promise<Seen> {
  const pods = await podsOf();
  for (const { name } of pods) {
    await product.shell(`kubectl --namespace ${NAMESPACE} delete pod ${name}${options}`);
    await untilReplaced([name]);
  }
  return { figures: { pods: pods.length } };
}

async function untilReplaced(gone: readonly string[]): Promise<void> {
  await until('all pods are there again', REPLACED_WITHIN_MS, async () => {
    const deployments = await list(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments`);
    const pods = await podsOf();
    return (
      pods.every(({ name }) => !gone.includes(name)) &&
      deployments.every(({ spec, status }) => (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1))
    );
  });
}

/** Upgrades to pods that never become ready, so that helm fails and rolls back. */
async function tryNeverReady(product: Product): Promise<Seen> {
  const image =
    '--set image.repository=registry.k8s.io/pause --set-string image.tag=3.10 --set migrations.enabled=false';
  const error = await product.shell(upgradeTo(product, CURRENT, image, '--timeout 45s')).then(
    () => undefined,
    (reason: Error) => reason,
  );
  const waiting = (await podsOf()).filter(({ ready }) => !ready).length;
  await product.shell('helm rollback ces --namespace ces --wait --timeout 10m');
  const figures = { 'pods that never got ready': waiting };
  if (!error) return { figures, faults: ['helm says that a version which answers nothing is ready'] };
  return { figures, faults: waiting > 0 ? [] : [`nothing waited, but ${error.message}`] };
}
