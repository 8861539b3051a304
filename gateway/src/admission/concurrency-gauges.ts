import { observeGauges } from '@ces/chassis/telemetry/gauges';
import type { Logger } from '@ces/chassis/telemetry/log';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';

const GAUGES = {
  'ces.calls.at_work': { unit: '{call}', description: 'Calls but free reads that are being worked on.' },
  'ces.calls.waiting': { unit: '{call}', description: 'Calls but free reads that wait for their turn.' },
  'ces.calls.limit': { unit: '{call}', description: 'Calls but free reads that may be worked on at once.' },
} as const;

export function observeConcurrency(limiter: ConcurrencyLimiter, logger: Logger): AsyncDisposable {
  return observeGauges(
    GAUGES,
    async () => {
      const { running, waiting, limit } = limiter.state;
      return [
        { gauge: 'ces.calls.at_work', value: running },
        { gauge: 'ces.calls.waiting', value: waiting },
        { gauge: 'ces.calls.limit', value: limit },
      ];
    },
    logger,
  );
}
