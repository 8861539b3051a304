import { create } from '@bufbuild/protobuf';
import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { type ChangePosition, ChangePositionSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { FeedPart, FeedRange, IndexBatch } from '../index/observation-index.ts';
import { fallsTo } from './parts.ts';

/** Changes read at once by a sole projector; the share of one of several is smaller, so that it reads more. */
const CHANGES = 2000;
const MOST_CHANGES = 5000;
/** Documents asked for in one call. */
const DOCUMENTS = 500;

/** The record's history has changed, and a position of the former one says nothing any more; `to` is the newest of the present one. */
export interface LostPosition {
  readonly lost: true;
  readonly to: ChangePosition;
}

/** The next range of the change list with those of its documents that fall to a part; undefined when there is nothing new. */
export async function readChanges(
  lookup: Client<typeof LookupService>,
  part: FeedPart,
  feed: FeedRange['feed'],
  from: ChangePosition | undefined,
): Promise<IndexBatch | LostPosition | undefined> {
  const limit = Math.min(CHANGES * part.of, MOST_CHANGES);
  const page = await lookup.listChanges({ ...(from && { after: from }), limit });
  const last = page.changes.at(-1);
  const to = page.hasMore ? last : (page.completeTo ?? last);
  if (!to) return undefined;
  const epoch = page.completeTo?.epoch ?? '';
  if (page.positionLost && page.completeTo) return { lost: true, to: page.completeTo };
  const idsOf = (ids: readonly bigint[]) => distinct(ids).filter((id) => fallsTo(part, id));
  const [observations, companies] = await Promise.all([
    readDocuments(idsOf(page.changes.map((change) => change.observationId)), (ids) =>
      lookup.getDocuments({ observationIds: ids }).then((documents) => documents.observations),
    ),
    readDocuments(idsOf(page.changes.map((change) => change.companyId)), (ids) =>
      lookup.getDocuments({ companyIds: ids }).then((documents) => documents.companies),
    ),
  ]);
  return {
    observations,
    companies,
    range: {
      feed,
      part,
      from,
      to: create(ChangePositionSchema, { tx: to.tx, seq: to.seq, epoch }),
      complete: !page.hasMore,
    },
  };
}

async function readDocuments<T>(ids: readonly bigint[], read: (ids: bigint[]) => Promise<T[]>): Promise<T[]> {
  const chunks: Promise<T[]>[] = [];
  for (let at = 0; at < ids.length; at += DOCUMENTS) chunks.push(read(ids.slice(at, at + DOCUMENTS)));
  return (await Promise.all(chunks)).flat();
}

function distinct(ids: readonly bigint[]): bigint[] {
  return [...new Set(ids)].filter((id) => id !== 0n);
}
