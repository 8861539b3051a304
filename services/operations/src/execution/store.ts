import { crashPoint } from '@ces/chassis/crash-point';
import { inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import type { Work } from '../actions/action.ts';
import { type Claim, endWork } from '../db/job.ts';
import { insertPlan } from '../db/plan.ts';
import { insertResult, markStored } from '../db/result.ts';
import { insertShortlist } from '../db/shortlist.ts';
import type { Operation } from '../operation/operation.ts';
import { LeaseLost } from './lease.ts';

/**
 * Stores plan, shortlist and result and ends the job, all or nothing; throws LeaseLost when the claim is no longer the
 * newest. The statements go out together: whether the claim stands is known before the commit, and that it does not comes
 * before what the others complain of, since a newer claim may have stored already.
 */
export async function storeWork(pool: Pool, { operation, fence }: Claim, work: Work): Promise<Operation> {
  const { id } = operation;
  crashPoint('run.before_stored');
  await inTransaction(pool, async (client) => {
    const [ended, plan, shortlist, result, stored] = await Promise.allSettled([
      endWork(client, id, fence),
      work.frozen?.plan && insertPlan(client, id, work.frozen.plan),
      work.frozen && insertShortlist(client, work.frozen.shortlist),
      insertResult(client, id, work.result),
      markStored(client, id),
    ]);
    if (!outcomeOf(ended)) throw new LeaseLost(`the lease of operation ${id} has ended`);
    for (const written of [plan, shortlist, result]) outcomeOf(written);
    if (!outcomeOf(stored)) throw new Error(`operation ${id} had a job but was not running`);
  });
  crashPoint('run.stored');
  return { ...operation, point: 'stored', result: work.result };
}

function outcomeOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
