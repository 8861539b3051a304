import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Remains } from './all.ts';

/** Every check (C1 to C12) in a thread of its own: they take long, and proxies of a cluster must not stand still meanwhile. */
export async function runChecksAside(remains: Remains): Promise<string[]> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: remains });
  const [found] = (await once(worker, 'message')) as [string[]];
  return found;
}
