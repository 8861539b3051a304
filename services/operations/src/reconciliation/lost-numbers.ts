import { type PeriodicTask, startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { skipOperationNumbers } from '../db/number.ts';
import type { StepDependencies } from '../operation/state-machine.ts';

/**
 * If the ledger knows higher numbers, this database lost its latest rows. Their numbers are never
 * reused, even without a ledger entry (promise R31).
 */
export function startLostNumberCheck(
  { pool, ledger, logger }: Pick<StepDependencies, 'pool' | 'ledger' | 'logger'>,
  everyMs: number,
): PeriodicTask {
  const run = async () => {
    const highest = await ledger.readHighestOperationId();
    if (await skipOperationNumbers(pool, highest))
      logger.error(
        { highest_operation_id: highest },
        'operations that the ledger knows are lost; their numbers are skipped',
      );
  };
  return startPeriodicTask({ name: 'check for lost numbers', everyMs, immediately: true, run, logger });
}
