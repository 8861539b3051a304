import { metrics } from '@opentelemetry/api';

const BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 1_800];

export interface Meters {
  ended(action: string, outcome: 'delivered' | 'failed', seconds: number): void;
  leaseLost(): void;
  withheld(units: number): void;
  reversed(): void;
  /** The number belongs to a lost operation, and this one gets the next. */
  renumbered(): void;
}

/** Call it after telemetry has started; earlier counts are lost. */
export function createMeters(): Meters {
  const meter = metrics.getMeter('ces');
  const duration = meter.createHistogram('ces.operation.duration', {
    unit: 's',
    description: 'Time from acceptance to the end.',
    advice: { explicitBucketBoundaries: BOUNDS },
  });
  const lost = meter.createCounter('ces.lease.lost', { description: 'Leases that ended while their holder worked.' });
  const withheld = meter.createCounter('ces.withheld.units', {
    description: 'Delivered units that answers no longer carry.',
  });
  const reversed = meter.createCounter('ces.settlement.reversed', {
    description: 'Settlements reversed because operations lost the work or it failed.',
  });
  const renumbered = meter.createCounter('ces.operation.renumbered', {
    description: 'New operations whose number the ledger knew as that of another, which is lost here.',
  });
  for (const counter of [lost, withheld, reversed, renumbered]) counter.add(0);
  return {
    ended: (action, outcome, seconds) => duration.record(seconds, { action, outcome }),
    leaseLost: () => lost.add(1),
    withheld: (units) => withheld.add(units),
    reversed: () => reversed.add(1),
    renumbered: () => renumbered.add(1),
  };
}
