import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Processor time of this process and of servers in ms, from an arbitrary start. */
export type ProcessorClock = () => number;

/**
 * Measures cost independent of waiting on a busy machine. The children of `postgresPid` have one
 * thread each. `threadedPid` names a server that keeps its threads.
 */
export function processorClock(postgresPid: number, threadedPid: number | undefined): ProcessorClock {
  return () => {
    const { user, system } = process.cpuUsage();
    const stats = childrenOf(postgresPid).map((pid) => `/proc/${pid}/schedstat`);
    if (threadedPid !== undefined)
      stats.push(...threadsOf(threadedPid).map((task) => `/proc/${threadedPid}/task/${task}/schedstat`));
    return (user + system) / 1000 + sum(stats.map((file) => Number(readIfThere(file).split(' ')[0] ?? 0) / 1e6));
  };
}

/** Memory of a server's processes in bytes. Counts shared pages once, by proportional set size. */
export function memoryOf(serverPid: number): number {
  const shares = [serverPid, ...childrenOf(serverPid)].map(
    (pid) => /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1],
  );
  return sum(shares.map((kibibytes = '0') => Number(kibibytes) * 1024));
}

/** Live heap and buffers of this process, in bytes. */
export function liveMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function childrenOf(pid: number): string[] {
  const list = threadsOf(pid).map((task) => readIfThere(`/proc/${pid}/task/${task}/children`));
  return list.join(' ').split(' ').filter(Boolean);
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
