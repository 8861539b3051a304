import { type Counter, metrics } from '@opentelemetry/api';

/** Counts calls that disagree with what the ledger knows; each series is shown as 0 before its first, so that its increase is seen. Made once telemetry has started. */
export function countMismatches(): Counter {
  const mismatches = metrics.getMeter('ces').createCounter('ces.ledger.mismatches', {
    description: 'Calls that named another operation than the ledger knows under their number, or other units.',
  });
  for (const call of ['reserve', 'charge', 'settle', 'release'])
    for (const field of ['identity', 'account', 'subscription', 'units']) mismatches.add(0, { call, field });
  return mismatches;
}
