import type { MessageInitShape } from '@bufbuild/protobuf';
import { actorOf } from '@ces/chassis/rpc/caller';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type {
  RecordVerificationRequest,
  RecordVerificationResponseSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Dependencies } from '../dependencies.ts';
import { applyVerdicts } from '../verification/apply-verdicts.ts';
import { findChangedProblems, writeProblems } from '../verification/judge-observations.ts';
import { checkAtMost } from './arguments.ts';

const MAX_RESULTS = 1000;
const MAX_PROBLEM_LENGTH = 500;

export async function recordVerification(
  dependencies: Dependencies,
  { results }: RecordVerificationRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof RecordVerificationResponseSchema>> {
  checkAtMost('results', results.length, MAX_RESULTS);
  if (results.some(({ problem }) => [...problem].length > MAX_PROBLEM_LENGTH || problem.includes('\0')))
    throw fail(FailureCode.INVALID_REQUEST, `problem must be at most ${MAX_PROBLEM_LENGTH} characters.`);
  if (new Set(results.map((one) => one.evidenceId)).size < results.length)
    throw fail(FailureCode.INVALID_REQUEST, 'results names an evidence row twice.');
  const found = results.map(({ evidenceId, problem }) => ({ evidenceId, problem: problem.trim() || undefined }));
  const { tx, judged } = await applyVerdicts(dependencies, actorOf(context), async (client) => {
    const other = await findChangedProblems(client, found);
    const ids = [...new Set(other.map(({ observationId }) => observationId))];
    return { ids, write: () => writeProblems(client, other) };
  });
  return {
    unverifiedIds: judged.filter((one) => one.reason !== undefined).map((one) => one.observationId),
    verifiedIds: judged.filter((one) => one.reason === undefined).map((one) => one.observationId),
    tx: tx ?? 0n,
  };
}
