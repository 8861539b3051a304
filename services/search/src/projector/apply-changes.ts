import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { FeedPart, FeedRange, IndexBatch, ObservationIndex } from '../index/observation-index.ts';
import { type LostPosition, readChanges } from './read-changes.ts';

export interface Reader {
  readonly index: ObservationIndex;
  readonly lookup: Client<typeof LookupService>;
  /** Whose documents it applies. */
  readonly part: FeedPart;
  /** Of the lead under which it reads. */
  readonly fence: bigint;
}

/** How far a reader has come. */
export interface ReaderPosition {
  readonly feed: FeedRange['feed'];
  readonly at: ChangePosition | undefined;
  /** Whether nothing that had committed was left behind `at`. */
  readonly complete: boolean;
}

/** What came of applying: nothing was left, more is left, or the position is of a history of the record that is no more. */
export type Applied = 'all' | 'more' | LostPosition;

/**
 * Applies the change list from a position on, at most `pages` of it. The next page is read while
 * one is written.
 */
export async function applyChanges(
  { index, lookup, part, fence }: Reader,
  from: ReaderPosition,
  pages: number,
): Promise<Applied> {
  let next = read(lookup, part, from.feed, from.at);
  let last = from;
  for (let page = 0; page < pages; page += 1) {
    const batch = await next;
    if (!batch) return 'all';
    if ('lost' in batch) return batch;
    const { to, complete } = batch.range;
    if (!complete) next = read(lookup, part, from.feed, to);
    if (movesOn(batch, last)) await index.apply(batch, fence);
    if (complete) return 'all';
    last = { feed: from.feed, at: to, complete };
  }
  return 'more';
}

/** A page that is read ahead may fail before it is awaited; whoever awaits it gets the error. */
function read(...parameters: Parameters<typeof readChanges>): ReturnType<typeof readChanges> {
  const batch = readChanges(...parameters);
  batch.catch(() => undefined);
  return batch;
}

function movesOn({ range }: IndexBatch, { at, complete }: ReaderPosition): boolean {
  return (
    range.to.tx !== at?.tx || range.to.seq !== at.seq || range.to.epoch !== at.epoch || range.complete !== complete
  );
}
