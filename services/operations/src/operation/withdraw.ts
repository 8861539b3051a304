import { crashPoint } from '@ces/chassis/crash-point';
import { deleteUndecided, keepCharged, markWithdrawing } from '../db/transition.ts';
import type { StepTools } from '../dependencies.ts';
import { asDelivered, type Operation } from './operation.ts';
import { type Standing, standingOf } from './state-machine.ts';

/**
 * Takes back an operation whose submitter was turned away, or never got an answer: what nobody was told of must not run
 * and be charged later. Marked first, so that from then on nobody is told of it; then the ledger is asked to hold nothing
 * for it, now or ever. Where somebody else has taken it further meanwhile, it stays.
 */
export async function withdraw(tools: StepTools, operation: Operation): Promise<Standing> {
  if (!(await markWithdrawing(tools.pool, operation.id))) return await standingOf(tools, operation);
  crashPoint('withdraw.marked');
  return await takeBack(tools, { ...operation, point: 'withdrawing' });
}

/** withdrawing: deleted once nothing is held, or delivered after all when it had been charged. */
export async function takeBack(tools: StepTools, operation: Operation): Promise<Standing> {
  const { id, result } = operation;
  const found = await tools.ledger.withdraw(operation);
  crashPoint('withdraw.released');
  if (found === 'charged' && result) {
    await keepCharged(tools.pool, id);
    tools.deliveries.add(id);
    return { kind: 'ended', operation: asDelivered(operation, result), allowance: undefined };
  }
  if (found === 'charged') throw new Error(`operation ${id} was charged without a result`);
  await deleteUndecided(tools.pool, id);
  tools.logger.info({ operation_id: id }, 'operation withdrawn');
  return { kind: 'gone', refusal: undefined };
}
