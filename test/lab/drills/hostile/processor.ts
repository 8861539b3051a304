import { readFileSync } from 'node:fs';

/**
 * The processor's time that the main thread of a process has had, in milliseconds. Whatever runs in it keeps every other call of
 * that process waiting, and what others take of the machine is not in it.
 */
export function mainThreadMs(pid: number): number {
  const [ran = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}
