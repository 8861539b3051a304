import type { Pool } from '@ces/chassis/postgres/pool';
import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { readReconciliationState } from './reconciliation-progress.ts';
import { countHeadroom } from './retention.ts';
import { countUnfinished, countWaiting, readOldestDue } from './unfinished.ts';

const GAUGES = {
  'ces.operations.unfinished': { unit: '{operation}', description: 'Operations that have not ended, by state.' },
  'ces.operations.oldest': { unit: 's', description: 'Age of the oldest operation that has not ended, by state.' },
  'ces.operations.drift': {
    unit: '{operation}',
    description: 'Operations of which operations and ledger say different things.',
  },
  'ces.operations.compared_age': { unit: 's', description: 'Since operations were last compared with the ledger.' },
  'ces.operations.partition.headroom': {
    unit: '{operation}',
    description: 'Operations that the partitions made so far still have room for.',
  },
  'ces.jobs.waiting': { unit: '{job}', description: 'Jobs that a worker could take now, by the database.' },
  'ces.jobs.oldest_due': { unit: 's', description: 'How long the job that has waited longest could have been taken.' },
} as const;

/** Every replica reports the same values. */
export function observeOperations(pool: Pool, logger: Logger): AsyncDisposable {
  return observeGauges(
    GAUGES,
    async () => {
      const [unfinished, oldestDueSeconds, waiting, headroom, { differing, ageSeconds }] = await Promise.all([
        countUnfinished(pool),
        readOldestDue(pool),
        countWaiting(pool),
        countHeadroom(pool),
        readReconciliationState(pool),
      ]);
      return [
        ...unfinished.flatMap(({ state, count, oldestSeconds }) => [
          { gauge: 'ces.operations.unfinished' as const, value: count, attributes: { state } },
          { gauge: 'ces.operations.oldest' as const, value: oldestSeconds, attributes: { state } },
        ]),
        { gauge: 'ces.jobs.waiting' as const, value: waiting },
        { gauge: 'ces.jobs.oldest_due' as const, value: oldestDueSeconds },
        { gauge: 'ces.operations.partition.headroom' as const, value: headroom },
        ...(ageSeconds === undefined
          ? []
          : [
              { gauge: 'ces.operations.drift' as const, value: differing },
              { gauge: 'ces.operations.compared_age' as const, value: ageSeconds },
            ]),
      ];
    },
    logger,
  );
}
