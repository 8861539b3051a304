import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../api.ts';
import type { Metadata, Namespace, NetworkPolicy, Pod } from './objects.ts';
import { rulesOf } from './rules.ts';

const AGAIN_AFTER_MS = 100;

export interface Enforcement extends AsyncDisposable {
  readonly failed: Promise<never>;
}

interface Watched<T> {
  readonly path: string;
  readonly objects: Map<string, T>;
}

/**
 * Watches pods, namespaces and policies, and replaces the rules of this network namespace after
 * every change.
 */
export async function enforcePolicies(api: Api, podNetwork: string): Promise<Enforcement> {
  const namespaces: Watched<Namespace> = { path: '/api/v1/namespaces', objects: new Map() };
  const pods: Watched<Pod> = { path: '/api/v1/pods', objects: new Map() };
  const policies: Watched<NetworkPolicy> = {
    path: '/apis/networking.k8s.io/v1/networkpolicies',
    objects: new Map(),
  };
  const closing = new AbortController();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let rules = '';
  let dirty = false;
  let working: Promise<void> = Promise.resolve();
  const replace = async () => {
    const state = {
      namespaces: [...namespaces.objects.values()],
      pods: [...pods.objects.values()],
      policies: [...policies.objects.values()],
    };
    const wanted = rulesOf(state, podNetwork);
    if (wanted === rules) return;
    await nft(wanted);
    rules = wanted;
  };
  // Batches changes that arrive during a replacement.
  const changed = () => {
    if (dirty) return;
    dirty = true;
    working = working.then(async () => {
      dirty = false;
      await replace();
    });
    working.catch(failure.reject);
  };
  const watching = [namespaces, pods, policies].map((kind) =>
    follow(api, kind as Watched<{ metadata: Metadata }>, changed, closing.signal),
  );
  for (const each of watching) each.catch(failure.reject);
  return {
    failed: failure.promise,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(watching);
      await working;
    },
  };
}

async function follow<T extends { metadata: Metadata }>(
  api: Api,
  { path, objects }: Watched<T>,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const keyOf = ({ metadata }: T) => `${metadata.namespace}/${metadata.name}`;
  while (!signal.aborted) {
    try {
      const { body } = await api.get(path);
      const list = body as { metadata: { resourceVersion: string }; items: T[] };
      objects.clear();
      for (const object of list.items) objects.set(keyOf(object), object);
      changed();
      const events = api.watch(`${path}?watch=1&resourceVersion=${list.metadata.resourceVersion}`, signal);
      for await (const { type, object } of events) {
        if (type === 'ERROR') break;
        if (type === 'DELETED') objects.delete(keyOf(object as T));
        else if (type !== 'BOOKMARK') objects.set(keyOf(object as T), object as T);
        changed();
      }
    } catch (error) {
      if (signal.aborted) return;
      process.stderr.write(`${path} is followed again: ${error}\n`);
    }
    // The API server was unavailable, or ended the watch after some minutes.
    await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function nft(text: string): Promise<void> {
  const child = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    messages += chunk;
  });
  child.stdin.end(text);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`nft refused the rules: ${messages.slice(0, 2_000)}`);
}
