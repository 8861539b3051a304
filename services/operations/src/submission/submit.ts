import { withinDeadline } from '@ces/chassis/rpc/client';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { Bounds } from '../actions/action.ts';
import { findByKey } from '../db/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { answer } from '../render/answer.ts';
import { type Accepted, accept } from './accept.ts';
import { follow } from './await-completion.ts';
import { resume } from './replay.ts';
import type { Submission } from './submission.ts';

/** How often a key that is taken and given up by others is tried. */
const MAX_TURNS = 20;
/** What is kept of the caller's deadline for rendering the answer, in milliseconds. */
const RENDER_MARGIN_MS = 500;
/** Bound on each RPC made while the caller waits, in milliseconds. */
const RPC_TIMEOUT_MS = 15_000;

/**
 * The order of a submission (decisions.md, Order of checks): the caller, key and shape are checked before; here
 * replay or conflict, then state, then allowance, then work, then the answer.
 */
export async function submit(
  deps: Dependencies,
  submission: Submission,
  context: HandlerContext,
): Promise<OperationAnswer> {
  const { principal } = submission;
  const bounds = boundsOf(context);
  const { accepted, replayed } = await acceptOrResume(deps, submission, bounds);
  const isNewBackground = submission.background && accepted.standing.kind === 'open';
  const patience = AbortSignal.any([context.signal, deps.draining]);
  const { standing, hydrated } = isNewBackground
    ? accepted
    : await follow(deps, accepted, waitFor(submission, context), patience);
  const atHand = { allowance: standing.allowance, hydrated };
  return await answer(deps, principal, standing.operation, replayed, atHand, boundsOf(context));
}

/** Bounds on the RPCs of a call: what is left of its deadline whenever one is made, and its caller's presence. */
export function boundsOf(context: HandlerContext): Bounds {
  return {
    signal: context.signal,
    get timeoutMs() {
      return withinDeadline(context, RPC_TIMEOUT_MS).timeoutMs;
    },
  };
}

async function acceptOrResume(
  deps: Dependencies,
  submission: Submission,
  bounds: Bounds,
): Promise<{ readonly accepted: Accepted; readonly replayed: boolean }> {
  const { principal, requestKey, input } = submission;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const { now, operation } = await findByKey(deps.pool, principal.accountId, input.action, requestKey);
    const accepted = operation
      ? await resume(deps, submission, operation)
      : await accept(deps, submission, await submission.admit(now), bounds);
    if (accepted) return { accepted, replayed: operation !== undefined };
  }
  throw fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'The request key is being taken and given up by other calls: try again with the same key.',
  );
}

function waitFor(submission: Submission, context: HandlerContext): number {
  const left = context.timeoutMs();
  return Math.max(0, left === undefined ? submission.waitMs : Math.min(submission.waitMs, left - RENDER_MARGIN_MS));
}
