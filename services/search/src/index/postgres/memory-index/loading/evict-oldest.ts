import type { MemoryIndex } from '../memory-index.ts';
import { bytesOf } from './replace-documents.ts';

/** The newest partition and all companies stay. */
export function evictOldest(index: MemoryIndex, mostBytes: number): void {
  const partitions = bytesOf(index) > mostBytes ? index.observations.datedPartitions() : [];
  for (const partition of partitions.slice(1)) {
    if (bytesOf(index) <= mostBytes) return;
    index.leftOut += index.observations.removeBefore(partition);
    index.observationTexts.dropBefore(partition);
    index.from = partition;
  }
}
