import type { ActionOutput } from '../actions/action.ts';
import type { Claim } from '../db/claim.ts';
import { writeOutput } from '../db/result.ts';
import type { Operation } from '../model/operation.ts';
import type { StepDependencies } from '../operation/state-machine.ts';
import { LeaseLost } from './lease.ts';

/** Writes one statement. Throws LeaseLost when the claim is no longer the newest. */
export async function storeOutput(
  { pool, atCrashPoint }: Pick<StepDependencies, 'pool' | 'atCrashPoint'>,
  { operation, fence }: Claim,
  { result, frozen }: ActionOutput,
): Promise<Operation> {
  const { id } = operation;
  atCrashPoint('run.before_stored');
  if (!(await writeOutput(pool, id, fence, { result, ...frozen })))
    throw new LeaseLost(`the lease of operation ${id} has ended`);
  atCrashPoint('run.stored');
  return { ...operation, state: 'stored', result };
}
