import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import type { VerifyRecordRequest, VerifyRecordResponseSchema } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { applyVerdicts } from '../verification/apply-verdicts.ts';
import { judgePage } from '../verification/judge-observations.ts';
import { checkBetween } from './arguments.ts';

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 1000;

export async function verifyRecord(
  dependencies: Dependencies,
  request: VerifyRecordRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof VerifyRecordResponseSchema>> {
  const limit = request.limit || DEFAULT_LIMIT;
  checkBetween('limit', limit, 1, MAX_LIMIT);
  const { checked, lastId, judged } = await judgePage(dependencies.pool, request.afterId, limit);
  const news = judged.filter((one) => !one.known).map((one) => one.observationId);
  const { tx } = await applyVerdicts(dependencies, actorOf(context), async () => ({ ids: news }));
  return {
    checked,
    lastId,
    hasMore: checked === limit,
    unverified: judged.flatMap(({ observationId, reason }) => (reason === undefined ? [] : { observationId, reason })),
    tx: tx ?? 0n,
  };
}
