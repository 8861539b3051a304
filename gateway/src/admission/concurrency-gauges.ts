import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';

const GAUGES = {
  'ces.calls.active': { unit: '{call}', description: 'Calls but free reads that run now.' },
  'ces.calls.waiting': { unit: '{call}', description: 'Calls but free reads that wait for a slot.' },
  'ces.calls.limit': { unit: '{call}', description: 'Calls but free reads that may run concurrently.' },
} as const;

export function observeConcurrency(limiter: ConcurrencyLimiter, logger: Logger): AsyncDisposable {
  return observeGauges(
    GAUGES,
    async () => {
      const { running, waiting, limit } = limiter.state;
      return [
        { gauge: 'ces.calls.active', value: running },
        { gauge: 'ces.calls.waiting', value: waiting },
        { gauge: 'ces.calls.limit', value: limit },
      ];
    },
    logger,
  );
}
