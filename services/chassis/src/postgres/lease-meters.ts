import { metrics } from '@opentelemetry/api';
import type { Lead } from './lead.ts';

export type LeaseMeters = ReturnType<typeof createLeaseMeters>;

export function createLeaseMeters() {
  const meter = metrics.getMeter('ces');
  const held = meter.createObservableGauge('ces.lead.held', {
    unit: '{lead}',
    description: 'Whether this process leads: 1 or 0, by lease.',
  });
  const fence = meter.createObservableGauge('ces.lead.fence', {
    unit: '{lead}',
    description: 'How often the lease that this process holds was taken, by it and others.',
  });
  const lost = meter.createCounter('ces.lead.lost', {
    unit: '{lead}',
    description: 'Leads that this process lost, by lease.',
  });
  return {
    lost: (lease: string) => lost.add(1, { lease }),
    observe: (lease: string, leadOf: () => Lead | undefined): (() => void) => {
      const observeHeld: Parameters<typeof held.addCallback>[0] = (result) =>
        result.observe(leadOf() ? 1 : 0, { lease });
      const observeFence: Parameters<typeof fence.addCallback>[0] = (result) => {
        const lead = leadOf();
        if (lead) result.observe(Number(lead.fence), { lease });
      };
      held.addCallback(observeHeld);
      fence.addCallback(observeFence);
      return () => {
        held.removeCallback(observeHeld);
        fence.removeCallback(observeFence);
      };
    },
  };
}
