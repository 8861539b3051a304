import { withinDeadline } from '@ces/chassis/rpc/client';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import type { OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import type { HandlerContext } from '@connectrpc/connect';
import type { ActionOutput, Bounds } from '../actions/action.ts';
import { findByRequestKey } from '../db/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import type { LiveOutcome } from '../operation/state-machine.ts';
import { answer } from '../render/answer.ts';
import { accept } from './accept.ts';
import { awaitCompletion } from './await-completion.ts';
import { expired, replay } from './replay.ts';
import type { Submission } from './submission.ts';

const MAX_TRIES = 20;
/** Part of the caller's deadline for rendering the answer. */
const RENDER_MARGIN_MS = 500;
const RPC_TIMEOUT_MS = 15_000;

export interface Submitted {
  readonly answer: OperationAnswer;
  /** Only waiting is left, which `untilWaiting` leaves to another call. */
  readonly waiting: boolean;
}

/**
 * Order after caller, key and input: replay or conflict, state, allowance, action, answer
 * (gateway/docs/contract.md, Order of checks).
 */
export async function submit(deps: Dependencies, submission: Submission, context: HandlerContext): Promise<Submitted> {
  const bounds = boundsOf(context);
  const { accepted, replayed } = await acceptOrReplay(deps, submission, bounds);
  const isOpen = accepted.kind === 'open' && !submission.background;
  const waiting = isOpen && submission.untilWaiting;
  const reached = isOpen && !waiting ? await awaitEnd(deps, accepted, submission.waitMs, context) : accepted;
  return { answer: await answer(deps, submission.principal, reached.operation, replayed, reached, bounds), waiting };
}

/** Waits until the end, or until the caller leaves, its deadline nears or the process drains. */
export async function awaitEnd(
  deps: Dependencies,
  open: LiveOutcome,
  waitMs: number,
  context: HandlerContext,
): Promise<LiveOutcome> {
  const left = context.timeoutMs();
  const mostMs = Math.max(0, left === undefined ? waitMs : Math.min(waitMs, left - RENDER_MARGIN_MS));
  return await awaitCompletion(deps, open, mostMs, AbortSignal.any([context.signal, deps.draining]));
}

/** The time left of its deadline, and the caller's abort signal. */
export function boundsOf(context: HandlerContext): Bounds {
  return {
    signal: context.signal,
    get timeoutMs() {
      return withinDeadline(context, RPC_TIMEOUT_MS).timeoutMs;
    },
  };
}

interface Accepted {
  readonly accepted: LiveOutcome;
  readonly replayed: boolean;
}

async function acceptOrReplay(deps: Dependencies, submission: Submission, bounds: Bounds): Promise<Accepted> {
  const { principal, requestKey, action } = submission;
  const unseen = await acceptUnseen(deps, submission, bounds);
  if (unseen.accepted) return { accepted: unseen.accepted, replayed: false };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { retentionMs } = deps.config;
    const { now, owner } = await findByRequestKey(
      deps.pool,
      principal.accountId,
      action.input.action,
      requestKey,
      retentionMs,
    );
    if (owner.kind === 'retired') throw expired();
    if (owner.kind === 'none' && unseen.error !== undefined) throw unseen.error;
    const accepted =
      owner.kind === 'operation'
        ? await replay(deps, submission, owner.operation)
        : await accept(deps, submission, await action.admit(principal, now), bounds);
    if (accepted) return { accepted, replayed: owner.kind === 'operation' };
  }
  throw fail(
    FailureCode.SERVICE_UNAVAILABLE,
    'The request key is being taken and given up by other calls: try again with the same request key.',
  );
}

/**
 * Most request keys are new; a failed insert means a known one. A failed read affects new work
 * only.
 */
async function acceptUnseen(
  deps: Dependencies,
  submission: Submission,
  bounds: Bounds,
): Promise<{ readonly accepted?: LiveOutcome | undefined; readonly error?: unknown }> {
  const path = submission.action.admitUnseen?.(submission.principal);
  if (!path) return {};
  if (path.kind !== 'charge') return { accepted: await accept(deps, submission, path, bounds) };
  let output: ActionOutput;
  try {
    output = await path.perform(bounds);
  } catch (error) {
    return { error };
  }
  return { accepted: await accept(deps, submission, { ...path, perform: async () => output }, bounds) };
}
