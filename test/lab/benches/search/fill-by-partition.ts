import type { FeedRange, ObservationIndex } from '@ces/search/index/observation-index';
import type { Filled } from './fill.ts';
import type { GeneratedRecord } from './generated-record.ts';
import type { PartitionShare } from './partition-thread.ts';
import { runThreads } from './threads.ts';

/** The fencing token of all writes of a bench. */
export const FENCE = 1n;

export interface SharedFill {
  readonly index: ObservationIndex;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly partitions: number;
}

/**
 * Fills an index with one thread for each partition. Continues an interrupted run with the same
 * number of partitions. An error from `onFilled` aborts it.
 */
export async function fillByPartition(
  shared: SharedFill,
  record: GeneratedRecord,
  onFilled: (share: number) => void,
): Promise<Filled> {
  const { index, partitions } = shared;
  const { live, complete } = await index.feedState();
  if (live && complete) return { observations: 0, seconds: 0 };
  if (!(await index.partitionState({ partition: 0, of: partitions }))) await index.repartition(partitions, FENCE);
  const filled = await applyByPartition(shared, record, 'live', onFilled);
  await index.repartition(1, FENCE);
  await index.refreshStatistics();
  return filled;
}

export async function applyByPartition(
  { databaseUrl, settings, partitions }: SharedFill,
  { observations, now }: GeneratedRecord,
  feed: FeedRange['feed'],
  onApplied: (share: number) => void,
): Promise<Filled> {
  const begun = performance.now();
  let written = 0;
  const shares = Array.from(
    { length: partitions },
    (_, partition): PartitionShare => ({
      databaseUrl,
      settings,
      partition: { partition, of: partitions },
      feed,
      observations,
      now,
      fence: FENCE,
    }),
  );
  await runThreads(new URL('./partition-thread.ts', import.meta.url), shares, (documents) => {
    written += documents;
    onApplied(written / observations);
  });
  return { observations: written, seconds: (performance.now() - begun) / 1000 };
}
