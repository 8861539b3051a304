import { inTransaction } from '@ces/chassis/postgres/pool';
import type { ActionOutput } from '../actions/action.ts';
import type { Claim } from '../db/claim.ts';
import { endRun } from '../db/job.ts';
import { insertPlan } from '../db/plan.ts';
import { insertResult, markStored } from '../db/result.ts';
import { insertShortlist } from '../db/shortlist.ts';
import type { Operation } from '../operation/operation.ts';
import type { StepDependencies } from '../operation/state-machine.ts';
import { LeaseLost } from './lease.ts';

/**
 * Stores plan, shortlist and result and ends the run, all or nothing; throws LeaseLost when the claim is no longer the
 * newest. The statements go out together: whether the claim stands is known before the commit, and that it does not comes
 * before what the others complain of, since a newer claim may have stored already.
 */
export async function storeOutput(
  { pool, atCrashPoint }: Pick<StepDependencies, 'pool' | 'atCrashPoint'>,
  { operation, fence }: Claim,
  { result, frozen }: ActionOutput,
): Promise<Operation> {
  const { id } = operation;
  atCrashPoint('run.before_stored');
  await inTransaction(pool, async (client) => {
    const [ended, plan, shortlist, written, stored] = await Promise.allSettled([
      endRun(client, id, fence),
      frozen?.plan && insertPlan(client, id, frozen.plan),
      frozen && insertShortlist(client, frozen.shortlist),
      insertResult(client, id, result),
      markStored(client, id),
    ]);
    if (!outcomeOf(ended)) throw new LeaseLost(`the lease of operation ${id} has ended`);
    for (const frozenRow of [plan, shortlist, written]) outcomeOf(frozenRow);
    if (!outcomeOf(stored)) throw new Error(`operation ${id} had a job but was not running`);
  });
  atCrashPoint('run.stored');
  return { ...operation, state: 'stored', result };
}

function outcomeOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
