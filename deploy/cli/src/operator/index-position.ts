import { setTimeout as pause } from 'node:timers/promises';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { type GetIndexStatusResponse, SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { Refusal } from '../refusal.ts';
import type { Stack } from './stack.ts';

const POLL_MS = 200;
const STALLED_MS = 180_000;

export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly untilRebuilt?: boolean;
  readonly onStatus?: (status: GetIndexStatusResponse, fraction: number) => void;
}

/** Throws a Refusal when the index stalls. */
export async function waitForIndex(
  stack: Stack,
  { signal, untilRebuilt, onStatus }: WaitOptions,
): Promise<GetIndexStatusResponse> {
  const { newest, observations } = await stack.client('lookup', RecordService).getRecordStatus({});
  const search = stack.client('search', SearchAdminService);
  let last: GetIndexStatusResponse | undefined;
  for (let progressedAt = performance.now(); ; ) {
    const status = await search.getIndexStatus({});
    onStatus?.(status, Math.min(1, Number(status.observations) / Math.max(1, Number(observations))));
    if (!(untilRebuilt && status.rebuilding) && hasReached(status.position, newest)) return status;
    if (!last || hasProgressed(last, status)) progressedAt = performance.now();
    last = status;
    if (signal.aborted) throw new Refusal('Interrupted. The index continues: see npx ces index status.');
    if (performance.now() - progressedAt > STALLED_MS)
      throw new Refusal(`The index made no progress for ${STALLED_MS / 1000} s: read the log of the search service.`);
    await pause(POLL_MS);
  }
}

/** A rebuild changes only the size. */
function hasProgressed(before: GetIndexStatusResponse, now: GetIndexStatusResponse): boolean {
  return !hasReached(before.position, now.position) || before.sizeBytes !== now.sizeBytes;
}

export function hasReached(position: ChangePosition | undefined, goal: ChangePosition | undefined): boolean {
  if (!goal || (goal.tx === 0n && goal.seq === 0n)) return true;
  if (!position) return false;
  return position.tx > goal.tx || (position.tx === goal.tx && position.seq >= goal.seq);
}
