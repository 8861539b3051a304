import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { GetOperationRequest } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import { findKept } from '../db/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { isUndecided } from '../model/operation.ts';
import { advance, advanceOrDefer } from '../operation/state-machine.ts';
import { answer } from '../render/answer.ts';
import { expired } from '../submission/replay.ts';
import { awaitEnd, boundsOf } from '../submission/submit.ts';
import { runAsCaller } from './principal.ts';
import { anyScope, requireScope } from './scope.ts';

/**
 * Unmetered. An operation that no caller has seen is not found. `waitedMs`: continues a submission
 * whose caller waits here instead.
 */
export async function getOperation(
  deps: Dependencies,
  request: GetOperationRequest,
  context: HandlerContext,
): Promise<{ readonly answer: OperationAnswer }> {
  return await runAsCaller(deps, request.caller, context, anyScope, async (principal) => ({
    answer: await answerOwn(deps, request, principal, context),
  }));
}

async function answerOwn(
  deps: Dependencies,
  request: GetOperationRequest,
  principal: Principal,
  context: HandlerContext,
): Promise<OperationAnswer> {
  const owner = await findKept(deps.pool, principal.accountId, request.operationId, deps.config.retentionMs);
  if (owner.kind === 'retired') throw expired();
  if (owner.kind === 'none' || owner.operation.state === 'created') throw notFound();
  requireScope(principal, owner.operation.input.action, 'usage');
  const { waitedMs } = request;
  // Already reported as accepted, so the poll must answer without the ledger.
  const isAccepted = waitedMs !== undefined && !isUndecided(owner.operation);
  const step = await (isAccepted ? advanceOrDefer : advance)(deps, owner.operation);
  if (step.kind === 'gone') throw notFound();
  const reached = waitedMs === undefined ? step : await awaitEnd(deps, step, deps.config.waitMs - waitedMs, context);
  return await answer(deps, principal, reached.operation, false, reached, boundsOf(context));
}

function notFound(): Error {
  return fail(FailureCode.USAGE_NOT_FOUND, 'There is no usage with this id in this account: check the id.');
}
