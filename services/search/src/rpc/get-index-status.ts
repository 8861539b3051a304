import type { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Client } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';

const PAGE = 5000;
/** The count of the lag stops here. */
const COUNTED = 100_000;

export async function getIndexStatus({ index, lookup }: Dependencies) {
  const [size, feed] = await Promise.all([index.size(), index.feedState()]);
  const { newest, lag } = await countBehind(lookup, feed.live);
  return {
    observations: size.observations,
    companies: size.companies,
    sizeBytes: size.bytes,
    leftOutObservations: BigInt(size.memory?.leftOut ?? 0),
    searchedFrom: size.memory?.searchedFrom ?? '',
    memoryBytes: BigInt(size.memory?.bytes ?? 0),
    memoryLimitBytes: BigInt(size.memory?.mostBytes ?? 0),
    rebuilding: feed.rebuilding,
    lag,
    ...(feed.live && { position: feed.live }),
    ...(newest && { newest }),
  };
}

async function countBehind(lookup: Client<typeof LookupService>, from: ChangePosition | undefined) {
  let newest = from;
  let lag = 0n;
  for (let more = true; more && lag < COUNTED; ) {
    const page = await lookup.listChanges({ ...(newest && { after: newest }), limit: PAGE });
    lag += BigInt(page.changes.length);
    if (page.positionLost) return { newest: page.completeTo, lag: BigInt(COUNTED) };
    newest = page.completeTo ?? newest;
    more = page.hasMore && page.changes.length > 0;
  }
  return { newest, lag };
}
