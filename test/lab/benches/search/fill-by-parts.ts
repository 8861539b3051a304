import type { FeedRange, ObservationIndex } from '@ces/search/index/observation-index';
import type { Filled } from './fill.ts';
import type { GeneratedRecord } from './generated-record.ts';
import type { PartShare } from './part-thread.ts';
import { runThreads } from './threads.ts';

/** Of all that a bench writes. */
export const FENCE = 1n;

/** What several projectors share. */
export interface SharedFill {
  readonly index: ObservationIndex;
  readonly databaseUrl: string;
  /** Of the search service. */
  readonly settings: Readonly<Record<string, string>>;
  readonly parts: number;
}

/** Fills an index with a record, a thread a part, and goes on where an earlier run with as many parts broke off; what `onFilled` throws breaks off. */
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

/** Applies what is left of a record to what is searched, or to what a rebuild makes. */
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
