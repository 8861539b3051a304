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
  discardUnadmitted,
  findOutcome,
  type LiveOutcome,
  type StepOutcome,
  withdraw,
} from '../operation/state-machine.ts';
import { resultWithin } from './await-completion.ts';
import { newOperation, type Submission } from './submission.ts';

/** Nearly all runs end before their claim is written. */
const CLAIM_AFTER_MS = 1_000;
/** Part of the caller's deadline for the claim and the answer. */
const ANSWER_MARGIN_MS = 500;

/** Undefined when the key was taken meanwhile. A refusal leaves no operation and is thrown. */
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
 * The row is durable before any unit is held (decision 0002). No run begins for a caller who has
 * gone. An operation that may have crashed its process goes to the workers, who quarantine it
 * (promise R10).
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
  return await (admission.kind === 'admitted'
    ? run(admission.allowance)
    : discardUnadmitted(deps, operation, admission));
}

/** Waits until the run has ended or its claim is written: no answer before (decision 0005). */
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
  const soon = await resultWithin(run, claimInMs, deps.draining);
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

/** The ledger's earlier answer saves a call. */
function withKnown(
  outcome: StepOutcome,
  known: { readonly allowance: Allowance; readonly waitedMs?: number },
): StepOutcome {
  return outcome.kind === 'open' ? { ...outcome, ...known } : outcome;
}

/** Rejects with `error`, unless it turns out to be accepted (decision 0005). */
async function reject(deps: Dependencies, operation: Operation, error: unknown): Promise<StepOutcome> {
  deps.logger.warn({ err: error, operation_id: operation.id }, 'acceptance broken off');
  const step = await withdraw(deps, operation, 'acceptor').catch((fault: unknown) => {
    deps.logger.warn({ err: fault, operation_id: operation.id }, 'withdrawn later');
  });
  if (!step || step.kind === 'gone') throw error;
  return step;
}

/** No caller sees the result before it is charged. */
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

/** Undefined for a withdrawn operation: its request key is free. */
function unwrap({ logger }: Dependencies, operation: Operation, step: StepOutcome): LiveOutcome | undefined {
  if (step.kind === 'gone') {
    if (step.refusal) throw failWith(step.refusal);
    return undefined;
  }
  const { id, accountId, input, payment } = operation;
  logger.info({ operation_id: id, account_id: accountId, action: input.action, payment }, 'operation accepted');
  return step;
}
