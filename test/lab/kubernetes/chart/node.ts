import { setTimeout as pause } from 'node:timers/promises';
import type { Api, KubernetesObject } from '../api.ts';
import { keysNeededBy } from './needed-keys.ts';

/** What stands in for the nodes: it runs nothing. */
export interface Node extends AsyncDisposable {
  /** Why pods could not begin, one sentence each. */
  readonly faults: readonly string[];
}

const NAME = 'stand-in';
const LOOK_EVERY_MS = 200;

/**
 * Takes every pod and says what a node would say: that it runs, at which address, and is ready, or, of a Job, that it has
 * succeeded; but only when each Secret that it needs has the key, as a container could not begin otherwise. It lets go of
 * pods that are to end.
 */
export async function startNode(api: Api): Promise<Node> {
  await api.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: NAME } });
  const closing = new AbortController();
  const faults = new Set<string>();
  const looking = (async () => {
    while (!closing.signal.aborted) {
      for (const pod of await api.list('/api/v1/pods').catch(() => [])) await attend(api, pod, faults);
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

async function attend(api: Api, pod: KubernetesObject, faults: Set<string>): Promise<void> {
  const { name, namespace, deletionTimestamp } = pod.metadata;
  const place = `/api/v1/namespaces/${namespace}/pods/${name}`;
  if (deletionTimestamp !== undefined) await api.call('DELETE', `${place}?gracePeriodSeconds=0`);
  else if (!['Running', 'Succeeded'].includes(pod.status?.phase ?? '')) await start(api, pod, place, faults);
}

async function start(api: Api, pod: KubernetesObject, place: string, faults: Set<string>): Promise<void> {
  const { name, namespace } = pod.metadata;
  const missing = await missingKey(api, pod);
  if (missing) {
    faults.add(`${namespace}/${name} needs ${missing}`);
    return;
  }
  if (!pod.spec?.nodeName) {
    const target = { apiVersion: 'v1', kind: 'Node', name: NAME };
    await api.call('POST', `${place}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target });
  }
  const isJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') ?? false;
  const status = isJob ? succeeded(pod) : running(pod);
  await api.call('PATCH', `${place}/status`, { status }, 'application/merge-patch+json');
}

async function missingKey(api: Api, { metadata, spec }: KubernetesObject): Promise<string | undefined> {
  for (const { secret, key } of keysNeededBy(spec)) {
    const { body } = await api.call('GET', `/api/v1/namespaces/${metadata.namespace}/secrets/${secret}`);
    const data = (body as { data?: Record<string, string> }).data;
    if (data?.[key] === undefined) return `${key} of Secret ${secret}`;
  }
  return undefined;
}

function running(pod: KubernetesObject) {
  const startedAt = new Date().toISOString();
  const containerStatuses = containersOf(pod, { running: { startedAt } }, true);
  const types = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
  const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: startedAt }));
  const ip = nextAddress();
  return { phase: 'Running', startTime: startedAt, podIP: ip, podIPs: [{ ip }], conditions, containerStatuses };
}

let addresses = 0;

function nextAddress(): string {
  addresses += 1;
  return `10.244.${addresses >> 8}.${addresses & 255}`;
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
