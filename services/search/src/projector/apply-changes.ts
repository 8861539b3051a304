import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { LostPosition } from '../changes/read-page.ts';
import type { FeedRange, IndexBatch, ObservationIndex } from '../index/observation-index.ts';
import { readChanges } from './read-changes.ts';

export interface Reader {
  readonly index: ObservationIndex;
  readonly lookup: Client<typeof LookupService>;
  readonly fence: bigint;
}

export interface ReaderPosition {
  readonly feed: FeedRange['feed'];
  readonly at: ChangePosition | undefined;
  /** Whether every change committed up to `at` is applied. */
  readonly complete: boolean;
}

/** `all`: no changes are left; LostPosition: of a replaced history of the record. */
export type Applied = 'all' | 'more' | LostPosition;

export async function applyChanges(
  { index, lookup, fence }: Reader,
  from: ReaderPosition,
  pages: number,
): Promise<Applied> {
  let next = read(lookup, from.feed, from.at);
  let last = from;
  for (let page = 0; page < pages; page += 1) {
    const batch = await next;
    if (!batch) return 'all';
    if ('lost' in batch) return batch;
    const { to, complete } = batch.range;
    if (!complete) next = read(lookup, from.feed, to);
    if (movesOn(batch, last)) await index.apply(batch, fence);
    if (complete) return 'all';
    last = { feed: from.feed, at: to, complete };
  }
  return 'more';
}

/** A read-ahead may fail before it is awaited: the handler prevents an unhandled rejection. */
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
