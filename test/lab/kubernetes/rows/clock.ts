import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { UnderCalls } from '../product/load.ts';
import { metricsUrl } from '../product/metrics.ts';
import { NAMESPACE, type Product, type ProductPod, podsOf } from '../product/product.ts';
import { until } from '../until.ts';

const VALUES = path.join(import.meta.dirname, '../manifests/clock-values.yaml');
/** Where the kubelet keeps the folder of a pod that `VALUES` names. */
const FOLDERS = '/var/lib/kubelet/pods';
const WRONG_MS = 60_000;
const SET_WITHIN_MS = 20_000;
/** Of the clock as a pod says it, which says whole seconds and may have looked a second ago. */
const PRECISION_S = 3;
const OFFSETS_S = [30, -30, 300, -300];

/** The clock of half of the pods, as those of one node of two, is wrong for a minute. The clocks of databases are right. */
export async function tryClock(product: Product, library: string, noneFails: UnderCalls): Promise<void> {
  await noneFails('pods with a clock of their own', async () => {
    await product.api.apply({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'clock-library', namespace: NAMESPACE } },
      binaryData: { 'libfaketime.so.1': (await readFile(library)).toString('base64') },
    });
    const flags = `--reset-then-reuse-values --values ${VALUES} --wait --timeout 10m`;
    await product.shell(`helm upgrade ces charts/ces --namespace ${NAMESPACE} ${flags}`);
    return undefined;
  });
  for (const seconds of OFFSETS_S) {
    const name = `the clock of half of the pods ${Math.abs(seconds)} s ${seconds < 0 ? 'back' : 'ahead'} for a minute`;
    await noneFails(name, async () => {
      const pods = halfOf(await podsOf(product.api));
      for (const pod of pods) await setClock(pod, seconds);
      try {
        for (const pod of pods)
          await until(`${pod.name} has the wrong time`, SET_WITHIN_MS, async () => isOff(await offsetOf(pod), seconds));
        await pause(WRONG_MS);
      } finally {
        for (const pod of pods) await setClock(pod, 0);
      }
      for (const pod of pods)
        await until(`${pod.name} has the right time`, SET_WITHIN_MS, async () => isOff(await offsetOf(pod), 0));
      return { figures: { pods: pods.length } };
    });
  }
}

/** Every second pod of each program; all of one that has but one. */
function halfOf(pods: readonly ProductPod[]): ProductPod[] {
  const programs = Map.groupBy(pods, ({ program }) => program);
  return [...programs.values()].flatMap((own) => own.filter((_, at) => at % 2 === 0));
}

async function setClock({ uid }: ProductPod, seconds: number): Promise<void> {
  const file = path.join(FOLDERS, uid, 'volumes/kubernetes.io~empty-dir/clock/offset');
  await writeFile(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`, { mode: 0o644 });
}

/** Seconds that a pod's clock is ahead, by what it says of the time of its answer. */
async function offsetOf(pod: ProductPod): Promise<number> {
  const answer = await fetch(metricsUrl(pod));
  await answer.body?.cancel();
  return (Date.parse(answer.headers.get('date') ?? '') - Date.now()) / 1_000;
}

function isOff(measured: number, seconds: number): boolean {
  return Math.abs(measured - seconds) <= PRECISION_S;
}
