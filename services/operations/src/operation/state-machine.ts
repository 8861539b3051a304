import type { Pool } from '@ces/chassis/postgres/pool';
import { isTransient } from '@ces/chassis/rpc/error';
import type { Failure } from '@ces/chassis/rpc/failure';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { AtCrashPoint } from '../crash-points.ts';
import { skipOperationNumbers } from '../db/number.ts';
import { findById } from '../db/operation.ts';
import { retryLostReply } from '../db/retry-lost-reply.ts';
import {
  deleteUndecided,
  failUnsettled,
  markChargedAgain,
  markFailed,
  markHeld,
  markWithdrawing,
} from '../db/transition.ts';
import type { Admission } from '../ledger/admission.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { asDelivered, isEnded, isUndecided, type Operation, unitsOf } from '../model/operation.ts';
import type { Hydrated } from '../model/result.ts';
import { SEARCH_FAILED } from '../model/stored-failure.ts';
import type { Meters } from '../telemetry/meters.ts';
import { withAdmissibleCall } from './admissible-call.ts';
import type { CompletionNotifier } from './completion-notifier.ts';
import type { Deliveries } from './deliveries.ts';
import { pay } from './payment.ts';

export interface StepDependencies {
  readonly pool: Pool;
  readonly logger: Logger;
  readonly ledger: Ledger;
  readonly deliveries: Deliveries;
  readonly completions: CompletionNotifier;
  readonly meters: Meters;
  readonly atCrashPoint: AtCrashPoint;
}

type Unpayable = Exclude<Admission, { kind: 'admitted' }>;

/** Longest reason that the ledger stores, in characters. */
const MAX_REASON = 200;

export type StepOutcome = GoneOutcome | LiveOutcome;

/** Refused, or withdrawn before any caller saw it: the row is deleted and the key is free. */
interface GoneOutcome {
  readonly kind: 'gone';
  readonly refusal: Failure | undefined;
}

export type LiveOutcome = OpenOutcome | EndedOutcome;

interface OpenOutcome {
  readonly kind: 'open';
  readonly operation: Operation;
  readonly allowance: Allowance | undefined;
  readonly run?: Promise<StepOutcome>;
  /** How long that caller has waited already, in milliseconds. */
  readonly waitedMs?: number;
}

interface EndedOutcome {
  readonly kind: 'ended';
  readonly operation: Operation;
  readonly allowance: Allowance | undefined;
  readonly hydrated?: readonly Hydrated[];
}

/** Idempotent by operation id, so calls, runs and the sweeper may repeat it (promise R2). */
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

async function advanceCurrent(deps: StepDependencies, { accountId, id }: Operation): Promise<StepOutcome> {
  const found = await findById(deps.pool, accountId, id);
  return found ? await advance(deps, found) : { kind: 'gone', refusal: undefined };
}

/** Reads an operation again after a lost reply. An accepted one stays open for its next step. */
export async function findOutcome(deps: StepDependencies, { accountId, id }: Operation): Promise<StepOutcome> {
  const found = await retryLostReply(() => findById(deps.pool, accountId, id));
  if (!found) return { kind: 'gone', refusal: undefined };
  if (isUndecided(found)) return await advance(deps, found);
  return { kind: isEnded(found.state) ? 'ended' : 'open', operation: found, allowance: undefined };
}

/** If the ledger is unreachable, the operation stays open and the sweeper retries. */
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
 * A submission that was rejected or never answered must not be charged later. It is marked first,
 * so that no caller sees it; then the ledger confirms that it holds nothing. With `sweeper`, the
 * acceptor may have crashed on it, and its key is recorded (promise R10).
 */
export async function withdraw(
  deps: StepDependencies,
  operation: Operation,
  by: 'acceptor' | 'sweeper',
): Promise<StepOutcome> {
  const isMarked = await retryLostReply(() => markWithdrawing(deps.pool, operation.id, by === 'sweeper'));
  if (!isMarked) return await findOutcome(deps, operation);
  deps.atCrashPoint('withdraw.marked');
  return await cancel(deps, { ...operation, state: 'withdrawing' });
}

async function admit(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const admission = await deps.ledger.reserve(operation);
  if (admission.kind !== 'admitted') return await discardUnadmitted(deps, operation, admission);
  if (await retryLostReply(() => markHeld(deps.pool, operation.id)))
    return { kind: 'open', operation: { ...operation, state: 'held' }, allowance: admission.allowance };
  return await findOutcome(deps, operation);
}

/**
 * Deletes once nothing is held, or delivers when charged. If the ledger settled work without a
 * result here, operations was restored: the settlement is reversed (promise R32).
 */
async function cancel(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const { id, result } = operation;
  const found = await deps.ledger.withdraw(operation);
  deps.atCrashPoint('withdraw.released');
  if (found === 'charged' && result) {
    await markChargedAgain(deps.pool, id);
    deps.deliveries.add(id);
    return { kind: 'ended', operation: asDelivered(operation, result), allowance: undefined };
  }
  if (found === 'charged') await reverse(deps, operation, 'operations was restored to before its result');
  await deleteUndecided(deps.pool, id);
  deps.logger.info({ operation_id: id }, 'operation withdrawn');
  return { kind: 'gone', refusal: undefined };
}

/** No caller sees a result before the ledger has the payment. */
async function settleOrCharge(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  const { result } = operation;
  if (!result) throw new Error(`operation ${operation.id} is stored without a result`);
  const payment = await pay(deps, operation, unitsOf(result));
  if (payment.kind !== 'admitted')
    return await (operation.payment === 'hold' ? failUnpayable : discardUnadmitted)(deps, operation, payment);
  deps.deliveries.add(operation.id);
  return { kind: 'ended', operation: asDelivered(operation, result), allowance: payment.allowance };
}

/**
 * The hold is released before the failure is shown, so that it blocks no units. A settlement is
 * from before a restore and is reversed (promise R32).
 */
async function release(deps: StepDependencies, operation: Operation): Promise<StepOutcome> {
  deps.atCrashPoint('sweep.before_release');
  if ((await deps.ledger.release(operation)) === 'settled')
    await reverse(deps, operation, `it failed after it was settled: ${operation.failure?.message ?? ''}`);
  deps.atCrashPoint('sweep.after_release');
  const ended = await markFailed(deps.pool, operation.id);
  if (ended) {
    deps.meters.ended(ended.action, 'failed', ended.seconds);
    deps.logger.info({ operation_id: operation.id, code: operation.failure?.code }, 'operation failed');
    deps.completions.notify(operation.id);
  }
  return { kind: 'ended', operation: { ...operation, state: 'failed' }, allowance: undefined };
}

async function reverse(deps: StepDependencies, operation: Operation, why: string): Promise<void> {
  await deps.ledger.reverse(operation, why.slice(0, MAX_REASON));
  deps.meters.reversed();
  deps.logger.warn({ operation_id: operation.id, why }, 'settlement reversed');
}

/** The ledger will never settle it, so it fails without a charge. */
async function failUnpayable(deps: StepDependencies, operation: Operation, payment: Unpayable): Promise<StepOutcome> {
  await failUnsettled(deps.pool, operation.id, SEARCH_FAILED);
  const { kind } = payment;
  const field = kind === 'mismatch' ? payment.field : undefined;
  deps.logger.error({ operation_id: operation.id, kind, field }, 'operation fails: not settled');
  return await advanceCurrent(deps, operation);
}

/**
 * Deletes an operation that no caller has seen. A mismatch means that this database lost
 * operations: all numbers up to the ledger's highest are skipped.
 */
export async function discardUnadmitted(
  deps: StepDependencies,
  { id, input }: Operation,
  admission: Unpayable,
): Promise<StepOutcome> {
  if (admission.kind === 'mismatch') {
    await skipOperationNumbers(deps.pool, admission.highestOperationId);
    deps.meters.renumbered();
  }
  await deleteUndecided(deps.pool, id);
  const refusal = admission.kind === 'refused' ? withAdmissibleCall(input, admission) : undefined;
  deps.logger.info({ operation_id: id, code: refusal?.code }, `operation ${admission.kind}`);
  return { kind: 'gone', refusal };
}
