import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { dateOf } from '@ces/chassis/instant';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  LookUpObservationsRequest,
  LookUpObservationsResponseSchema,
} from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { readCompleteness } from '../db/commit-order.ts';
import type { Dependencies } from '../dependencies.ts';
import { findKnownHostnames, lookUpObservations as readFeedRange } from '../hydration/observation-look-up.ts';
import { toObservation } from '../hydration/rendered-observation.ts';
import { checkBetween } from './arguments.ts';

const MAX_DOMAINS = 100;
const MAX_LIMIT = 100;

export async function lookUpObservations(
  { pool, reads }: Dependencies,
  request: LookUpObservationsRequest,
): Promise<MessageInitShape<typeof LookUpObservationsResponseSchema>> {
  const { domains, limit } = request;
  checkBetween('The number of domains', domains.length, 1, MAX_DOMAINS);
  checkBetween('limit', limit, 1, MAX_LIMIT);
  if (!request.since) throw fail(FailureCode.INVALID_REQUEST, 'since is missing.');
  const until = request.until ? dateOf(request.until) : await readCompleteness(pool);
  const range = {
    since: dateOf(request.since),
    after: positionOf(request.afterRecordedAt, request.afterId),
    until,
    limit: limit + 1,
  };
  const rows = await reads.read((db) => readFeedRange(db, domains, range));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    observations: page.map(toObservation),
    domainFound: await findKnownHostnames(pool, domains),
    asOf: timestampFromDate(until),
    hasMore: rows.length > limit,
    ...(last && { lastRecordedAt: timestampFromDate(last.recorded_at), lastId: last.id }),
  };
}

function positionOf(recordedAt: Timestamp | undefined, id: bigint) {
  return recordedAt && { recordedAt: dateOf(recordedAt), id };
}
