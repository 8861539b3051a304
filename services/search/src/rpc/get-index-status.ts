import type { ChangePosition } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import type { Dependencies } from './dependencies.ts';

/** Behind every change there will ever be: asking from there tells where the list ends. */
const END_OF_TIME = { tx: 2n ** 63n - 1n, seq: 0n };

/** How far the index is and how large. */
export async function getIndexStatus({ index, lookup }: Dependencies) {
  const [size, feed, newest] = await Promise.all([
    index.size(),
    index.feedState(),
    lookup.listChanges({ after: END_OF_TIME, limit: 1 }).then((page) => page.completeTo),
  ]);
  return {
    observations: size.observations,
    companies: size.companies,
    sizeBytes: size.bytes,
    rebuilding: feed.rebuilding,
    lag: distance(feed.live, newest),
    ...(feed.live && { position: feed.live }),
    ...(newest && { newest }),
  };
}

/** Changes between two places, at most: numbers are given before they commit, so some may be missing between. */
function distance(from: ChangePosition | undefined, to: ChangePosition | undefined): bigint {
  const left = (to?.seq ?? 0n) - (from?.seq ?? 0n);
  return left > 0n ? left : 0n;
}
