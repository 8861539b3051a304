import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { RunPool } from '../execution/run-pool.ts';

const GAUGES = {
  'ces.runs.active': { unit: '{run}', description: 'Runs of operations in this process, by kind.' },
  'ces.runs.limit': { unit: '{run}', description: 'Runs of a kind that this process works on at once at most.' },
} as const;

export function observeRuns(runPool: RunPool, logger: Logger): AsyncDisposable {
  return observeGauges(
    GAUGES,
    async () =>
      runPool.load.flatMap(({ kind, active, limit }) => [
        { gauge: 'ces.runs.active' as const, value: active, attributes: { kind } },
        { gauge: 'ces.runs.limit' as const, value: limit, attributes: { kind } },
      ]),
    logger,
  );
}
