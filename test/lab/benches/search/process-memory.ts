import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface ProcessMemory {
  readonly live: number;
  /** The resident set, including freed memory that the process has not returned to the system. */
  readonly resident: number;
}

export function measureMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}

export function memoryGrowth(before: ProcessMemory, after: ProcessMemory): ProcessMemory {
  return { live: after.live - before.live, resident: after.resident - before.resident };
}
