import { failWith } from '@ces/chassis/rpc/failure';
import { activeTraceparent } from '@ces/chassis/telemetry/span';
import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { ActionOutput, Bounds, PaymentPath } from '../actions/action.ts';
import { type CreatedOperation, insertCreated, insertWithResult } from '../db/operation.ts';
import { retryLostReply } from '../db/retry-lost-reply.ts';
import { handOverToWorkers } from '../db/transition.ts';
import type { Dependencies } from '../dependencies.ts';
import { AcceptedClaim } from '../execution/accepted-claim.ts';
import type { Operation } from '../model/operation.ts';
import {
  advance,
  discard,
  findOutcome,
  type LiveOutcome,
  type StepOutcome,
  withdraw,
} from '../operation/state-machine.ts';
import { within } from './await-completion.ts';
import { newOperation, type Submission } from './submission.ts';

/** A run that takes longer gets its claim written, in milliseconds. Nearly all runs end earlier. */
const CLAIM_AFTER_MS = 1_000;
/** Part of the caller's deadline that is reserved for the claim and the answer, in milliseconds. */
const ANSWER_MARGIN_MS = 500;

/**
 * Creates the operation of a new request key. Undefined when the key was taken meanwhile. A refusal
 * leaves no operation and is thrown.
 */
export async function accept(
  deps: Dependencies,
  submission: Submission,
  path: PaymentPath,
  bounds: Bounds,
): Promise<LiveOutcome | undefined> {
  switch (path.kind) {
    case 'hold':
      return await acceptHeld(deps, submission, path, bounds);
    case 'charge':
      return await acceptCharged(deps, submission, path.worstCaseUnits, await path.perform(bounds), bounds);
    case 'free':
      return await acceptFree(deps, submission, path.output);
  }
}

/**
 * Intent first: the row is durable before any unit is held, and no caller sees its id before
 * (decision 0002). No run begins for a caller who has gone or whose deadline has passed. An
 * operation that may have crashed its process before goes to the workers, who quarantine it and
 * count its attempts (promise R10).
 */
async function acceptHeld(
  deps: Dependencies,
  submission: Submission,
  { worstCaseUnits, delayMs = 0 }: PaymentPath & { kind: 'hold' },
  bounds: Bounds,
): Promise<LiveOutcome | undefined> {
  const { config, pool, owner, runPool } = deps;
  const runsHere = !submission.background && delayMs === 0 && runPool.freeSlots('waited') > 0;
  const acceptance = { ...config, owner, runsHere, traceparent: activeTraceparent() };
  const operation = await insertCreated(pool, newOperation(submission, 'hold', worstCaseUnits), acceptance);
  if (!operation) return undefined;
  deps.atCrashPoint('accept.inserted');
  const claimInMs = Math.max(0, Math.min(submission.waitMs, CLAIM_AFTER_MS, bounds.timeoutMs - ANSWER_MARGIN_MS));
  const run = (allowance: Allowance) =>
    runsHere && operation.lostAttempts === 0 && runPool.freeSlots('waited') > 0
      ? runHere(deps, operation, allowance, claimInMs)
      : leaveToWorkers(deps, operation, delayMs, allowance);
  const step = await reserveAndRun(deps, operation, bounds.signal, run).catch((error: unknown) =>
    reject(deps, operation, error),
  );
  return unwrap(deps, operation, step);
}

async function reserveAndRun(
  deps: Dependencies,
  operation: Operation,
  callerPresent: AbortSignal,
  run: (allowance: Allowance) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const admission = await deps.ledger.reserve(operation);
  deps.atCrashPoint('accept.reserved');
  callerPresent.throwIfAborted();
  return await (admission.kind === 'admitted' ? run(admission.allowance) : discard(deps, operation, admission));
}

/**
 * Returns when the run has ended or its claim is written. No caller is answered before
 * (decision 0005).
 */
async function runHere(
  deps: Dependencies,
  operation: Operation,
  allowance: Allowance,
  claimInMs: number,
): Promise<StepOutcome> {
  const begunAt = performance.now();
  const known = () => ({ allowance, waitedMs: performance.now() - begunAt });
  const accepted = new AcceptedClaim(deps, operation, activeTraceparent());
  const { claim } = accepted;
  const run = deps.runPool.start('waited', claim, accepted);
  const soon = await within(run, claimInMs, deps.draining);
  if (!soon && (await accepted.write())) return { kind: 'open', operation: claim.operation, run, ...known() };
  const end = soon ?? (await run);
  if (end.kind !== 'open') return end;
  return withKnown(await findOutcome(deps, operation), known());
}

async function leaveToWorkers(
  deps: Dependencies,
  operation: CreatedOperation,
  delayMs: number,
  allowance: Allowance,
): Promise<StepOutcome> {
  const { id, lostAttempts } = operation;
  const isHeld = await retryLostReply(() => handOverToWorkers(deps.pool, id, deps.owner, delayMs, lostAttempts));
  if (!isHeld) return withKnown(await findOutcome(deps, operation), { allowance });
  deps.dispatch();
  return { kind: 'open', operation: { ...operation, state: 'held' }, allowance };
}

/** Adds the ledger's earlier answer to an outcome that was read again, to save a call. */
function withKnown(
  outcome: StepOutcome,
  known: { readonly allowance: Allowance; readonly waitedMs?: number },
): StepOutcome {
  return outcome.kind === 'open' ? { ...outcome, ...known } : outcome;
}

/**
 * Withdraws what was not accepted, now or by the sweeper, and rejects the call with `error`. An
 * operation that turns out to be accepted is answered normally (decision 0005).
 */
async function reject(deps: Dependencies, operation: Operation, error: unknown): Promise<StepOutcome> {
  deps.logger.warn({ err: error, operation_id: operation.id }, 'acceptance broken off');
  const step = await withdraw(deps, operation, 'acceptor').catch((fault: unknown) => {
    deps.logger.warn({ err: fault, operation_id: operation.id }, 'withdrawn later');
  });
  if (!step || step.kind === 'gone') throw error;
  return step;
}

/** Store, charge, answer. No caller sees the result before it is charged. */
async function acceptCharged(
  deps: Dependencies,
  submission: Submission,
  worstCaseUnits: number,
  { result, hydrated }: ActionOutput,
  { signal }: Bounds,
): Promise<LiveOutcome | undefined> {
  signal.throwIfAborted();
  deps.atCrashPoint('charge.before_insert');
  const operation = await insertWithResult(
    deps.pool,
    newOperation(submission, 'charge', worstCaseUnits),
    result,
    'stored',
    deps.config.leaseMs,
  );
  if (!operation) return undefined;
  deps.atCrashPoint('charge.inserted');
  const step = await advance(deps, operation).catch((error: unknown) => reject(deps, operation, error));
  return unwrap(deps, operation, step.kind === 'ended' ? { ...step, hydrated } : step);
}

async function acceptFree(
  deps: Dependencies,
  submission: Submission,
  { result, hydrated }: ActionOutput,
): Promise<LiveOutcome | undefined> {
  const operation = await insertWithResult(deps.pool, newOperation(submission, 'none', 0), result, 'delivered', 0);
  return operation && unwrap(deps, operation, { kind: 'ended', operation, allowance: undefined, hydrated });
}

/**
 * Logs an accepted operation once and throws a refusal. Undefined for a withdrawn operation: its
 * request key is free.
 */
function unwrap({ logger }: Dependencies, operation: Operation, step: StepOutcome): LiveOutcome | undefined {
  if (step.kind === 'gone') {
    if (step.refusal) throw failWith(step.refusal);
    return undefined;
  }
  const { id, accountId, input, payment } = operation;
  logger.info({ operation_id: id, account_id: accountId, action: input.action, payment }, 'operation accepted');
  return step;
}
