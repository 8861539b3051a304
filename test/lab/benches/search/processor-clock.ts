import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of this process and of a server's, in milliseconds since some moment. */
export type ProcessorClock = () => number;

/** A clock that a busy machine does not drive: what a query costs, however long it waited for a processor. */
export function processorClock(serverPid: number | undefined): ProcessorClock {
  return () => {
    const { user, system } = process.cpuUsage();
    const pids = serverPid === undefined ? [] : childrenOf(serverPid);
    return (user + system) / 1000 + pids.reduce((sum, pid) => sum + runTimeOf(pid), 0);
  };
}

/** Memory of a server's processes, in bytes; what they share counts once. */
export function memoryOf(serverPid: number): number {
  const shares = [serverPid, ...childrenOf(serverPid)].map((pid) => {
    const kibibytes = /^Pss:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  });
  return shares.reduce((sum, share) => sum + share, 0);
}

function childrenOf(pid: number): number[] {
  const list = readdirSync(`/proc/${pid}/task`).map((task) => readIfThere(`/proc/${pid}/task/${task}/children`));
  return list.join(' ').split(' ').filter(Boolean).map(Number);
}

/** Of a process with one thread, as the server's are. */
function runTimeOf(pid: number): number {
  return Number(readIfThere(`/proc/${pid}/schedstat`).split(' ')[0] ?? 0) / 1e6;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
