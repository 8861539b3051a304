import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Failure } from '@ces/chassis/rpc/failure';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { AtCrashPoint } from '../crash-points.ts';
import { skipOperationNumbers } from '../db/number.ts';
import { findById } from '../db/operation.ts';
import {
  deleteUndecided,
  failUnsettled,
  keepCharged,
  markFailed,
  markHeld,
  markWithdrawing,
} from '../db/transition.ts';
import { untilAnswered } from '../db/until-answered.ts';
import type { Admission } from '../ledger/admission.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Meters } from '../telemetry/meters.ts';
import type { CompletionNotifier } from './completion-notifier.ts';
import type { DeliveryBatcher } from './delivery-batcher.ts';
import { asDelivered, isUndecided, type Operation, unitsOf } from './operation.ts';
import { pay } from './payment.ts';
import type { Hydrated } from './result.ts';
import { namingSmallerCall } from './smaller-call.ts';
import { SEARCH_FAILED } from './stored-failure.ts';

/** What taking an operation from one state to the next needs. */
export interface StepDependencies {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly deliveries: DeliveryBatcher;
  readonly completions: CompletionNotifier;
  readonly meters: Meters;
  readonly atCrashPoint: AtCrashPoint;
}

/** What the ledger said to an operation that it will never settle. */
type Unpayable = Exclude<Admission, { kind: 'admitted' }>;

/** Characters of a reason that the ledger keeps. */
const MAX_REASON = 200;

/** How far an operation has come once its next step is taken. Submission, runs, polls and the sweeper all speak of it so. */
export type StepOutcome = GoneOutcome | LiveOutcome;

/** Refused by the ledger or withdrawn before any caller saw it: the row is deleted, the request key is free. */
interface GoneOutcome {
  readonly kind: 'gone';
  readonly refusal: Failure | undefined;
}

export type LiveOutcome = OpenOutcome | EndedOutcome;

interface OpenOutcome {
  readonly kind: 'open';
  readonly operation: Operation;
  readonly allowance: Allowance | undefined;
  /** The end of its run, where this process runs it for a caller who waits. */
  readonly run?: Promise<StepOutcome>;
  /** How long that caller has waited already, in milliseconds. */
  readonly waitedMs?: number;
}

/** Delivered or failed. */
interface EndedOutcome {
  readonly kind: 'ended';
  readonly operation: Operation;
  readonly allowance: Allowance | undefined;
  /** What the result was stored from, where this process has just stored it. */
  readonly hydrated?: readonly Hydrated[];
}

/**
 * Whoever finds an operation between two states takes the next step: every step is idempotent by the operation's id, so that
 * callers, pollers, runs and the sweeper may all take it, and take it again after a crash (promise R2).
 */
export async function advance(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  switch (operation.state) {
    case 'created':
      return await admit(deps, operation);
    case 'withdrawing':
      return await cancel(deps, operation);
    case 'held':
    case 'running':
      return { kind: 'open', operation, allowance: undefined };
    case 'stored':
      return await settleOrCharge(deps, operation);
    case 'failing':
      return await release(deps, operation);
    case 'delivered':
    case 'failed':
      return { kind: 'ended', operation, allowance: undefined };
  }
}

/** The next step of an operation from its state as it is now. */
async function advanceCurrent(deps: StepDependencies, { accountId, id }: Operation): Promise<StepOutcome> {
  const found = await findById(deps.pool, accountId, id);
  return found ? await advance(deps, found) : { kind: 'gone', refusal: undefined };
}

/**
 * What has become of an operation when that is not known, since an answer was lost or others have taken it further: it is read again.
 * What was accepted is accepted: it is open, and its next step is for whoever waits for it, or for the sweeper.
 */
export async function findOutcome(deps: StepDependencies, { accountId, id }: Operation): Promise<StepOutcome> {
  const found = await untilAnswered(() => findById(deps.pool, accountId, id));
  if (!found) return { kind: 'gone', refusal: undefined };
  if (isUndecided(found)) return await advance(deps, found);
  const isEnded = found.state === 'delivered' || found.state === 'failed';
  return { kind: isEnded ? 'ended' : 'open', operation: found, allowance: undefined };
}

/** The next step of an accepted operation. Where the ledger cannot be asked now, the operation is open, and the sweeper asks it. */
export async function advanceOrDefer(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  try {
    return await advance(deps, operation);
  } catch (error) {
    deps.logger[isTransient(error) ? 'warn' : 'error'](
      { err: error, operation_id: operation.id },
      'ledger asked later',
    );
    return { kind: 'open', operation, allowance: undefined };
  }
}

/**
 * Withdraws an operation whose submission was rejected, or whose submitter never got an answer: what no caller was shown
 * must not run and be charged later. Marked first, so that from then on it is shown to no caller; then the ledger is asked
 * to hold nothing for it, now or ever. An operation that has been taken further meanwhile stays. By the sweeper: whoever
 * accepted it may have died of it (promise R10).
 */
export async function withdraw(
  deps: StepDependencies,
  operation: Operation,
  by: 'acceptor' | 'sweeper',
): Promise<StepOutcome> {
  const isMarked = await untilAnswered(() => markWithdrawing(deps.pool, operation.id, by === 'sweeper'));
  if (!isMarked) return await findOutcome(deps, operation);
  deps.atCrashPoint('withdraw.marked');
  return await cancel(deps, { ...operation, state: 'withdrawing' });
}

/** created: reserve. A worker takes it from there, unless the process that accepted it still does. */
async function admit(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const admission = await deps.ledger.reserve(operation);
  if (admission.kind !== 'admitted') return await discard(deps, operation, admission);
  if (await untilAnswered(() => markHeld(deps.pool, operation.id)))
    return { kind: 'open', operation: { ...operation, state: 'held' }, allowance: admission.allowance };
  return await findOutcome(deps, operation);
}

/**
 * withdrawing: deleted once nothing is held, or delivered after all when it had been charged. What the ledger settled for
 * work that is not done here was done before operations were restored: it is taken back (promise R32).
 */
async function cancel(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const { id, result } = operation;
  const found = await deps.ledger.withdraw(operation);
  deps.atCrashPoint('withdraw.released');
  if (found === 'charged' && result) {
    await keepCharged(deps.pool, id);
    deps.deliveries.add(id);
    return { kind: 'ended', operation: asDelivered(operation, result), allowance: undefined };
  }
  if (found === 'charged') await takeBack(deps, operation, 'operations was restored to before its result');
  await deleteUndecided(deps.pool, id);
  deps.logger.info({ operation_id: id }, 'operation withdrawn');
  return { kind: 'gone', refusal: undefined };
}

/** stored: settle what is held, or charge. No caller sees a result before the ledger has it. */
async function settleOrCharge(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const { result } = operation;
  if (!result) throw new Error(`operation ${operation.id} is stored without a result`);
  const payment = await pay(deps, operation, unitsOf(result));
  if (payment.kind !== 'admitted')
    return await (operation.payment === 'hold' ? failUnpayable : discard)(deps, operation, payment);
  deps.deliveries.add(operation.id);
  return { kind: 'ended', operation: asDelivered(operation, result), allowance: payment.allowance };
}

/**
 * failing: release the hold, then mark it failed, so that no caller sees a failure that still blocks units. What the ledger has
 * settled of it was delivered before operations were restored: it is taken back, so that a failure is never charged (promise R32).
 */
async function release(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  deps.atCrashPoint('sweep.before_release');
  if ((await deps.ledger.release(operation)) === 'settled')
    await takeBack(deps, operation, `it failed after it was settled: ${operation.failure?.message ?? ''}`);
  deps.atCrashPoint('sweep.after_release');
  const ended = await markFailed(deps.pool, operation.id);
  if (ended) {
    deps.meters.ended(ended.action, 'failed', ended.seconds);
    deps.logger.info({ operation_id: operation.id, code: operation.failure?.code }, 'operation failed');
    deps.completions.notify(operation.id);
  }
  return { kind: 'ended', operation: { ...operation, state: 'failed' }, allowance: undefined };
}

/** The ledger's part of undoing what was settled; `why` is cut to what the ledger keeps of it. */
async function takeBack(deps: StepDependencies, operation: Operation, why: string): Promise<void> {
  await deps.ledger.reverse(operation, why.slice(0, MAX_REASON));
  deps.meters.reversed();
  deps.logger.warn({ operation_id: operation.id, why }, 'settlement taken back');
}

/**
 * stored, and never to be settled: the ledger knows another operation under its number, settled other units, or has released it. It
 * fails, and is not charged.
 */
async function failUnpayable(deps: StepDependencies, operation: Operation, payment: Unpayable): Promise<StepOutcome> {
  await failUnsettled(deps.pool, operation.id, SEARCH_FAILED);
  const { kind } = payment;
  const field = kind === 'mismatch' ? payment.field : undefined;
  deps.logger.error({ operation_id: operation.id, kind, field }, 'operation fails: not settled');
  return await advanceCurrent(deps, operation);
}

/**
 * The ledger will never admit it: no caller has seen it, so it is deleted. Where the ledger knows another operation under its
 * number, that one is lost here, and so are all up to the highest that the ledger knows: no later operation gets these numbers.
 */
export async function discard(
  deps: StepDependencies,
  { id, input }: Operation,
  admission: Unpayable,
): Promise<StepOutcome> {
  if (admission.kind === 'mismatch') {
    await skipOperationNumbers(deps.pool, admission.highestOperationId);
    deps.meters.renumbered();
  }
  await deleteUndecided(deps.pool, id);
  const refusal = admission.kind === 'refused' ? namingSmallerCall(input, admission) : undefined;
  deps.logger.info({ operation_id: id, code: refusal?.code }, `operation ${admission.kind}`);
  return { kind: 'gone', refusal };
}
