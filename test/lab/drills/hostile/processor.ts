import { readFileSync } from 'node:fs';

/**
 * Processor time of a process's main thread in ms, without other processes' load. Work on this
 * thread delays all other calls of the process.
 */
export function mainThreadMs(pid: number): number {
  const [ran = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}
