import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 500;
const WRITTEN_WITHIN_MS = 60_000;

/** Flags that have a Node process write a heap snapshot into a directory when it gets SIGUSR2. */
export function snapshotFlags(directory: string): string {
  return `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${directory}`;
}

/** MB of a heap snapshot of each program: what is dead is collected before, so it grows with what is alive alone. */
export async function readLiveHeaps(
  directory: string,
  pids: Readonly<Record<string, number>>,
): Promise<Readonly<Record<string, number>>> {
  const heaps: Record<string, number> = {};
  for (const [name, pid] of Object.entries(pids)) {
    process.kill(pid, 'SIGUSR2');
    heaps[name] = (await takeSnapshot(directory, pid)) / 1e6;
  }
  return heaps;
}

/** Bytes of the snapshot that a process was asked for, once it is written whole; the file is removed. */
async function takeSnapshot(directory: string, pid: number): Promise<number> {
  let seen = 0;
  for (const until = performance.now() + WRITTEN_WITHIN_MS; performance.now() < until; ) {
    await pause(LOOK_EVERY_MS);
    const name = (await readdir(directory)).find((file) => file.split('.')[3] === String(pid));
    const { size } = name === undefined ? { size: 0 } : await stat(path.join(directory, name));
    if (name !== undefined && size > 0 && size === seen) {
      await rm(path.join(directory, name));
      return size;
    }
    seen = size;
  }
  throw new Error(`process ${pid} wrote no heap snapshot`);
}
