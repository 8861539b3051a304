import { type Counter, metrics } from '@opentelemetry/api';

/**
 * Shows each series as 0 first, so that its first increase is visible. Call it after telemetry has
 * started.
 */
export function countMismatches(): Counter {
  const mismatches = metrics.getMeter('ces').createCounter('ces.ledger.mismatches', {
    description: 'Calls that named another operation than the ledger knows under their number, or other units.',
  });
  for (const call of ['reserve', 'charge', 'settle', 'release'])
    for (const field of ['identity', 'account', 'subscription', 'units']) mismatches.add(0, { call, field });
  return mismatches;
}
