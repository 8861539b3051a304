import { crashPoint } from '@ces/chassis/crash-point';
import { inTransaction, type Pool } from '@ces/chassis/postgres';
import { type Claim, endWork } from '../db/job.ts';
import { insertPlan } from '../db/plan.ts';
import { insertResult, markStored } from '../db/result.ts';
import { insertShortlist } from '../db/shortlist.ts';
import type { Operation } from '../operation/operation.ts';
import type { Work } from '../work/work.ts';
import { LeaseLost } from './lease.ts';

/** Stores plan, shortlist and result and ends the job, all or nothing; throws LeaseLost when the claim is no longer the newest. */
export async function storeWork(pool: Pool, { operation, fence }: Claim, work: Work): Promise<Operation> {
  const { id } = operation;
  crashPoint('run.before_stored');
  await inTransaction(pool, async (client) => {
    if (!(await endWork(client, id, fence))) throw new LeaseLost(`the lease of operation ${id} has ended`);
    if (work.frozen?.plan) await insertPlan(client, id, work.frozen.plan);
    if (work.frozen) await insertShortlist(client, work.frozen.shortlist);
    await insertResult(client, id, work.result);
    if (!(await markStored(client, id))) throw new Error(`operation ${id} had a job but was not running`);
  });
  crashPoint('run.stored');
  return { ...operation, point: 'stored', result: work.result };
}
