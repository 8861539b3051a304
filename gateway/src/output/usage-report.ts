import type { Subscription } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { GetUsageReportResponse } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import type { UsageReport } from '../schema/usage-report.ts';
import { counts } from './operation.ts';
import { formatInstant, requireValue } from './values.ts';

export function renderUsageReport(report: GetUsageReportResponse): UsageReport {
  const subscription = requireValue(report.subscription, 'subscription');
  const limits = requireValue(subscription.effectiveLimits, 'limits of the subscription');
  const period = counts(report.period);
  const week = counts(report.week);
  const { request_units, delivered_units } = counts(report.reserved);
  return {
    subscription: renderSubscription(subscription),
    usage: {
      request_units: period.request_units,
      weekly_request_units: week.request_units,
      delivered_units: period.delivered_units,
      weekly_delivered_units: week.delivered_units,
      fresh_evidence_units: period.fresh_evidence_units,
    },
    limits: {
      request_units: Number(limits.periodRequestUnits),
      weekly_request_units: Number(limits.weekRequestUnits),
      delivered_units: Number(limits.periodDeliveredUnits),
      weekly_delivered_units: Number(limits.weekDeliveredUnits),
    },
    reservations: { request_units, delivered_units },
  };
}

export function renderSubscription(subscription: Subscription): UsageReport['subscription'] {
  return {
    plan: subscription.plan,
    status: subscription.status,
    current_period_start: formatInstant(subscription.currentPeriodStart, 'current_period_start'),
    current_period_end: formatInstant(subscription.currentPeriodEnd, 'current_period_end'),
  };
}
