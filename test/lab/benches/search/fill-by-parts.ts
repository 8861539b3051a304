import type { FeedRange, ObservationIndex } from '@ces/search/index/observation-index';
import type { Filled } from './fill.ts';
import type { GeneratedRecord } from './generated-record.ts';
import type { PartShare } from './part-thread.ts';
import { runThreads } from './threads.ts';

/** The fencing token of all writes of a bench. */
export const FENCE = 1n;

export interface SharedFill {
  readonly index: ObservationIndex;
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly parts: number;
}

/**
 * Fills an index with one thread for each part. Continues an interrupted run with the same number
 * of parts. An error from `onFilled` aborts it.
 */
export async function fillByParts(
  shared: SharedFill,
  record: GeneratedRecord,
  onFilled: (share: number) => void,
): Promise<Filled> {
  const { index, parts } = shared;
  const { live, complete } = await index.feedState();
  if (live && complete) return { observations: 0, seconds: 0 };
  if (!(await index.partState({ part: 0, of: parts }))) await index.share(parts, FENCE);
  const filled = await applyByParts(shared, record, 'live', onFilled);
  await index.share(1, FENCE);
  await index.refreshStatistics();
  return filled;
}

export async function applyByParts(
  { databaseUrl, settings, parts }: SharedFill,
  { observations, now }: GeneratedRecord,
  feed: FeedRange['feed'],
  onApplied: (share: number) => void,
): Promise<Filled> {
  const begun = performance.now();
  let written = 0;
  const shares = Array.from(
    { length: parts },
    (_, part): PartShare => ({
      databaseUrl,
      settings,
      part: { part, of: parts },
      feed,
      observations,
      now,
      fence: FENCE,
    }),
  );
  await runThreads(new URL('./part-thread.ts', import.meta.url), shares, (documents) => {
    written += documents;
    onApplied(written / observations);
  });
  return { observations: written, seconds: (performance.now() - begun) / 1000 };
}
