import type { ListChangesRequest } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { type Change, findReadablePosition, listChanges as readChanges, readFeedEnd } from '../changes/change-feed.ts';
import { isPositionKnown } from '../changes/feed-epoch.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkBetween } from './arguments.ts';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 5000;
const END = { tx: 2n ** 63n - 1n, seq: 2n ** 63n - 1n };

export async function listChanges({ pool }: Dependencies, request: ListChangesRequest) {
  const limit = request.limit || DEFAULT_LIMIT;
  checkBetween('limit', limit, 1, MAX_LIMIT);
  const after = { tx: request.after?.tx ?? 0n, seq: request.after?.seq ?? 0n };
  const end = await readFeedEnd(pool, after);
  const { epoch } = end;
  if (!(await isPositionKnown(pool, { ...after, epoch: request.after?.epoch ?? '' }, end))) {
    const { tx = 0n, seq = 0n } = (await findReadablePosition(pool, END)) ?? {};
    return { completeTo: { tx, seq, epoch }, positionLost: true };
  }
  const changes = end.hasMore ? await readChanges(pool, after, limit + 1) : [];
  const page = changes.slice(0, limit);
  const last = page.at(-1) ?? end.readable;
  return {
    changes: page.map(toMessage),
    completeTo: { tx: last?.tx ?? 0n, seq: last?.seq ?? 0n, epoch },
    hasMore: changes.length > limit,
  };
}

function toMessage({ tx, seq, observationId = 0n, companyId = 0n }: Change) {
  return { tx, seq, observationId, companyId };
}
