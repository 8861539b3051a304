import { create } from '@bufbuild/protobuf';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { type Change, type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';

/** Positions of the former history are invalid; `to` is the newest of the new one. */
export interface LostPosition {
  readonly lost: true;
  readonly to: ChangePosition;
}

interface ChangePage {
  readonly lost: false;
  readonly changes: readonly Change[];
  readonly to: ChangePosition;
  readonly hasMore: boolean;
}

export async function readPage(
  lookup: Client<typeof LookupService>,
  limit: number,
  from: ChangePosition | undefined,
  signal?: AbortSignal,
): Promise<ChangePage | LostPosition | undefined> {
  const page = await lookup.listChanges({ ...(from && { after: from }), limit }, { ...(signal && { signal }) });
  const { changes, completeTo, hasMore } = page;
  const last = changes.at(-1);
  const to = hasMore ? last : (completeTo ?? last);
  if (!to) return undefined;
  if (page.positionLost && completeTo) return { lost: true, to: completeTo };
  const epoch = completeTo?.epoch ?? '';
  return { lost: false, changes, to: create(ChangePositionSchema, { tx: to.tx, seq: to.seq, epoch }), hasMore };
}

export function distinct(ids: readonly bigint[]): bigint[] {
  return [...new Set(ids)].filter((id) => id !== 0n);
}
