import type { Static } from 'typebox';
import { Count, closed, Instant, Text } from './primitives.ts';

export const SubscriptionPeriod = closed('SubscriptionPeriod', {
  plan: Text,
  status: Text,
  current_period_start: Instant,
  current_period_end: Instant,
});

export const UsageReport = closed(
  'UsageReport',
  {
    subscription: SubscriptionPeriod,
    usage: closed('UsageCounts', {
      request_units: Count,
      weekly_request_units: Count,
      delivered_units: Count,
      weekly_delivered_units: Count,
      fresh_evidence_units: Count,
    }),
    limits: closed('UsageLimits', {
      request_units: Count,
      weekly_request_units: Count,
      delivered_units: Count,
      weekly_delivered_units: Count,
    }),
    reservations: closed('Reservations', { request_units: Count, delivered_units: Count }),
  },
  'Settled units of the current period and of the rolling week, shared by all credentials of the subscription. Units held by work in flight stand in `reservations`.',
);
export type UsageReport = Static<typeof UsageReport>;
