import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of this process and of servers in ms, from an arbitrary start. */
export type ProcessorClock = () => number;

/**
 * Measures cost independent of waiting on a busy machine. `threadedPid` names a server with
 * long-lived threads.
 */
export function processorClock(postgresPid?: number, threadedPid?: number): ProcessorClock {
  return () => {
    const { user, system } = process.cpuUsage();
    const children = postgresPid === undefined ? [] : childrenOf(postgresPid);
    const others = children.reduce((sum, pid) => sum + runTimeOf(pid), 0);
    const threads = threadedPid === undefined ? 0 : runTimeOfThreads(threadedPid);
    return (user + system) / 1000 + others + threads;
  };
}

/** Memory of a server's processes in bytes. Counts shared pages once, by proportional set size. */
export function memoryOf(serverPid: number): number {
  const shares = [serverPid, ...childrenOf(serverPid)].map((pid) => {
    const kibibytes = /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

function childrenOf(pid: number): number[] {
  const list = threadsOf(pid).map((task) => readIfThere(`/proc/${pid}/task/${task}/children`));
  return list.join(' ').split(' ').filter(Boolean).map(Number);
}

/** Valid for single-threaded processes such as those of Postgres. */
function runTimeOf(pid: number): number {
  return runTimeIn(`/proc/${pid}/schedstat`);
}

/**
 * Sums the live threads. Threads that have ended are missing, so the process must keep its threads.
 */
function runTimeOfThreads(pid: number): number {
  return threadsOf(pid).reduce((sum, task) => sum + runTimeIn(`/proc/${pid}/task/${task}/schedstat`), 0);
}

function runTimeIn(file: string): number {
  return Number(readIfThere(file).split(' ')[0] ?? 0) / 1e6;
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
