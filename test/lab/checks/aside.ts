import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Remains } from './all.ts';

/**
 * Runs all checks in a worker thread, because they are slow and must not block the proxies of a
 * cluster.
 */
export async function runChecksAside(remains: Remains): Promise<string[]> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: remains });
  const [found] = (await once(worker, 'message')) as [string[]];
  return found;
}
