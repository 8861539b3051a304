import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { type ClientsOptions, callForAWhile, type Tally } from './clients.ts';

/**
 * Calls from a separate process, so that the clients' queues do not distort each other's latencies.
 * `far` lowers its priority, because a real crowd does not use the service's processors.
 */
export async function callFrom(where: 'near' | 'far', options: ClientsOptions): Promise<Tally> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  if (where === 'far' && child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  const answered = once(child, 'message') as Promise<[Tally]>;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the clients ended with ${code} and reported nothing`);
  });
  ended.catch(() => undefined);
  child.send(options);
  const [tally] = await Promise.race([answered, ended]);
  return tally;
}

// In the process that was forked: makes the calls that the parent sends, reports, and exits.
if (import.meta.main) {
  const [options] = (await once(process, 'message')) as [ClientsOptions];
  const tally = await callForAWhile(options);
  process.send?.(tally, undefined, undefined, () => process.disconnect());
}
