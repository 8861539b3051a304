import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ClientsOptions, Tally } from './clients.ts';

const PROGRAM = fileURLToPath(new URL('clients-program.ts', import.meta.url));

/**
 * Calls from a process of its own, so that clients do not measure each other's queue. `far` gives it the lowest priority: a
 * crowd does not sit on the machine it calls, and what it takes of the processor to call is none of the service's doing.
 */
export async function callFrom(where: 'near' | 'far', options: ClientsOptions): Promise<Tally> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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
