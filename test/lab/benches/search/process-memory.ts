import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory of this process, in bytes. */
export interface ProcessMemory {
  /** Heap and buffers that are in use, after a collection of garbage. */
  readonly live: number;
  /** All that the system has given it and not taken back, garbage of before included. */
  readonly resident: number;
}

/** Collects garbage and measures. */
export function measureMemory(): ProcessMemory {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}

/** What came on top from one moment to a later one. */
export function memoryGrowth(before: ProcessMemory, after: ProcessMemory): ProcessMemory {
  return { live: after.live - before.live, resident: after.resident - before.resident };
}
