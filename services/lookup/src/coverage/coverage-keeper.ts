import type { Pool } from '@ces/chassis/postgres/pool';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import { observeGauges, type Reading } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Coverage, claimCoveragePass, listCoverage, takeCoverage } from '../db/coverage.ts';

const EVERY_MS = 300_000;
/** After a large import, only the newest of the week count. */
const MOST_READ = 1_000_000;

const GAUGES = {
  'ces.evidence.week': {
    unit: '{observation}',
    description: 'Observations of events of the last seven days, by origin, kind and country.',
  },
  'ces.evidence.newest.age': { unit: 's', description: 'Time since the newest event that was recorded.' },
  'ces.evidence.delay': {
    unit: 's',
    description: 'Median time from an event of the last seven days to its record.',
  },
} as const;

export function startCoverageKeeper(pool: Pool, logger: Logger): AsyncDisposable {
  const resources = new AsyncDisposableStack();
  const run = async () => {
    if (await claimCoveragePass(pool, EVERY_MS)) await takeCoverage(pool, MOST_READ);
  };
  const task = { name: 'taking coverage', everyMs: EVERY_MS / 5, jitter: 0.1, immediately: true, run, logger };
  resources.use(startPeriodicTask(task));
  resources.use(observeGauges(GAUGES, async () => (await listCoverage(pool)).flatMap(toReadings), logger));
  return resources;
}

function toReadings({ origin, kind, country, ...row }: Coverage): Reading<keyof typeof GAUGES>[] {
  const attributes = { source: origin, kind, country };
  const age = row.newestAt && (Date.now() - row.newestAt.getTime()) / 1_000;
  return [
    { gauge: 'ces.evidence.week', value: row.weekCount, attributes },
    ...(age === undefined ? [] : [{ gauge: 'ces.evidence.newest.age' as const, value: age, attributes }]),
    ...(row.medianDelayS === undefined
      ? []
      : [{ gauge: 'ces.evidence.delay' as const, value: row.medianDelayS, attributes }]),
  ];
}
