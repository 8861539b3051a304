import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { Caller } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { RequestedAction } from '../actions/action.ts';
import type { Dependencies } from '../dependencies.ts';
import { parseRequestKey } from '../input/fields.ts';
import { fingerprint } from '../input/fingerprint.ts';
import type { ActionName } from '../input/form.ts';
import { type Submitted, submit } from '../submission/submit.ts';
import { runAsCaller } from './principal.ts';
import { requireScope } from './scope.ts';

export interface SubmitRequest {
  readonly caller?: Caller | undefined;
  readonly requestKey: string;
  readonly background?: boolean;
  readonly waitMs?: number | undefined;
  readonly untilWaiting?: boolean;
}

export async function submitAction(
  deps: Dependencies,
  request: SubmitRequest,
  context: HandlerContext,
  name: ActionName,
  toAction: () => RequestedAction,
): Promise<Submitted> {
  const { waitMs } = deps.config;
  const checkScope = (principal: Principal) => requireScope(principal, name);
  return await runAsCaller(deps, request.caller, context, checkScope, async (principal) => {
    const requestKey = parseRequestKey(request.requestKey);
    const action = toAction();
    const submission = {
      principal,
      requestKey,
      action,
      fingerprint: fingerprint(action.input),
      background: request.background ?? false,
      waitMs: Math.max(0, Math.min(waitMs, request.waitMs ?? waitMs)),
      untilWaiting: request.untilWaiting ?? false,
    };
    return await submit(deps, submission, context);
  });
}
