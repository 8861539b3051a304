import { setTimeout as pause } from 'node:timers/promises';
import type { Api, KubernetesObject } from './api.ts';

/** What stands in for the nodes: it runs nothing. */
export interface Node extends AsyncDisposable {
  /** Why pods could not begin, one sentence each. */
  readonly faults: readonly string[];
}

const LOOK_EVERY_MS = 200;

/**
 * Says of every pod what a node would say: that it runs and is ready, or, of a Job, that it has succeeded; but only when
 * each Secret that it needs has the key, as a container could not begin otherwise.
 */
export function startNode(api: Api): Node {
  const closing = new AbortController();
  const faults = new Set<string>();
  const looking = (async () => {
    while (!closing.signal.aborted) {
      for (const pod of await api.list('/api/v1/pods').catch(() => []))
        if (!isSettled(pod)) await settle(api, pod, faults);
      await pause(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  })();
  return {
    get faults() {
      return [...faults];
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await looking;
    },
  };
}

function isSettled({ metadata, status }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined || ['Running', 'Succeeded'].includes(status?.phase ?? '');
}

async function settle(api: Api, pod: KubernetesObject, faults: Set<string>): Promise<void> {
  const { name, namespace } = pod.metadata;
  const missing = await missingKey(api, pod);
  if (missing) {
    faults.add(`${namespace}/${name} needs ${missing}`);
    return;
  }
  const isJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false;
  const status = isJob ? succeeded(pod) : running(pod);
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
  await api.call('PATCH', path, { status }, 'application/merge-patch+json');
}

async function missingKey(api: Api, { metadata, spec }: KubernetesObject): Promise<string | undefined> {
  const env = spec?.containers?.flatMap((container) => container.env ?? []) ?? [];
  for (const { valueFrom } of env) {
    const reference = valueFrom?.secretKeyRef;
    if (!reference || reference.optional) continue;
    const { body } = await api.call('GET', `/api/v1/namespaces/${metadata.namespace}/secrets/${reference.name}`);
    const data = (body as { data?: Record<string, string> }).data;
    if (data?.[reference.key] === undefined) return `${reference.key} of Secret ${reference.name}`;
  }
  return undefined;
}

function running(pod: KubernetesObject) {
  const startedAt = new Date().toISOString();
  const containerStatuses = containersOf(pod, { running: { startedAt } }, true);
  const types = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
  const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: startedAt }));
  return { phase: 'Running', startTime: startedAt, conditions, containerStatuses };
}

function succeeded(pod: KubernetesObject) {
  const at = new Date().toISOString();
  const terminated = { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at };
  return { phase: 'Succeeded', startTime: at, containerStatuses: containersOf(pod, { terminated }, false) };
}

function containersOf({ spec }: KubernetesObject, state: Readonly<Record<string, unknown>>, ready: boolean) {
  return spec?.containers?.map(({ name, image }) => ({
    ...{ name, image, state, ready, started: ready, restartCount: 0, imageID: '', lastState: {} },
  }));
}
