import { crashPoint } from '@ces/chassis/crash-point';
import type { Failure } from '@ces/chassis/rpc/failure';
import type { Allowance } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { findById } from '../db/operation.ts';
import { deleteUndecided, markFailed, markHeld } from '../db/transition.ts';
import type { StepTools } from '../dependencies.ts';
import type { Admission, Ledger } from '../ledger/ledger.ts';
import { asDelivered, type Operation, type OperationUnits, unitsOf } from './operation.ts';
import { takeBack } from './withdraw.ts';

/** How far an operation has come once its next step is taken. */
export type Standing =
  /** Refused by the ledger or withdrawn before anybody saw it: the row is deleted, the key is free. */
  | { readonly kind: 'gone'; readonly refusal: Failure | undefined }
  | { readonly kind: 'open'; readonly operation: Operation; readonly allowance: Allowance | undefined }
  /** Delivered or failed. */
  | { readonly kind: 'ended'; readonly operation: Operation; readonly allowance: Allowance | undefined };

/**
 * Whoever finds an operation between two steps takes the next one: every step is idempotent by the operation's id
 * (reliability.md 2.2, 2.4). Callers, pollers, runs and the sweeper all come through here.
 */
export async function advance(tools: StepTools, operation: Operation): Promise<Standing> {
  switch (operation.point) {
    case 'created':
      return await admit(tools, operation);
    case 'withdrawing':
      return await takeBack(tools, operation);
    case 'held':
    case 'running':
      return { kind: 'open', operation, allowance: undefined };
    case 'stored':
      return await collect(tools, operation);
    case 'failing':
      return await release(tools, operation);
    case 'delivered':
    case 'failed':
    case 'retired':
      return { kind: 'ended', operation, allowance: undefined };
  }
}

/** created: reserve. A worker takes it from there, unless whoever accepted it still does. */
async function admit(tools: StepTools, operation: Operation): Promise<Standing> {
  const admission = await tools.ledger.reserve(operation);
  if (admission.kind !== 'admitted') return await letGo(tools, operation, admission);
  if (await markHeld(tools.pool, operation.id))
    return { kind: 'open', operation: { ...operation, point: 'held' }, allowance: admission.allowance };
  return await standingOf(tools, operation);
}

/** An operation that somebody else has taken further meanwhile, as it is now. */
export async function standingOf(tools: StepTools, { accountId, id }: Operation): Promise<Standing> {
  const found = await findById(tools.pool, accountId, id);
  return found ? await advance(tools, found) : { kind: 'gone', refusal: undefined };
}

/** stored: settle what is held, or charge. Nobody sees a result before the ledger has it. */
async function collect(tools: StepTools, operation: Operation): Promise<Standing> {
  const { result } = operation;
  if (!result) throw new Error(`operation ${operation.id} is stored without a result`);
  const payment = await (operation.payment === 'hold' ? settle : charge)(tools.ledger, operation, unitsOf(result));
  if (payment.kind !== 'admitted') return await letGo(tools, operation, payment);
  tools.deliveries.add(operation.id);
  return { kind: 'ended', operation: asDelivered(operation, result), allowance: payment.allowance };
}

async function settle(ledger: Ledger, operation: Operation, units: OperationUnits): Promise<Admission> {
  crashPoint('settle.before');
  const allowance = await ledger.settle(operation, units);
  crashPoint('settle.after');
  return { kind: 'admitted', allowance, isSettled: true };
}

async function charge(ledger: Ledger, operation: Operation, units: OperationUnits): Promise<Admission> {
  const admission = await ledger.charge(operation, units);
  crashPoint('charge.replied');
  return admission;
}

/** failing: give the hold back, then say so, so that nobody sees a failure that still blocks units. */
async function release(tools: StepTools, operation: Operation): Promise<Standing> {
  crashPoint('sweep.before_release');
  await tools.ledger.release(operation);
  crashPoint('sweep.after_release');
  const ended = await markFailed(tools.pool, operation.id);
  if (ended) {
    tools.meters.ended(ended.action, 'failed', ended.seconds);
    tools.logger.info({ operation_id: operation.id, code: operation.failure?.code }, 'operation failed');
    tools.endings.announce(operation.id);
  }
  return { kind: 'ended', operation: { ...operation, point: 'failed' }, allowance: undefined };
}

/** The ledger will never admit it: nobody has seen it, so it goes. */
async function letGo(
  tools: StepTools,
  { id }: Operation,
  admission: Exclude<Admission, { kind: 'admitted' }>,
): Promise<Standing> {
  await deleteUndecided(tools.pool, id);
  const refusal = admission.kind === 'refused' ? admission.failure : undefined;
  tools.logger.info({ operation_id: id, code: refusal?.code }, `operation ${admission.kind}`);
  return { kind: 'gone', refusal };
}
