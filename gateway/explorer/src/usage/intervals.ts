import type { RateLimits } from './rate-limit.ts';

/** Units of one interval. Unless `isCapped`, used + held + left is the limit. */
export interface Interval {
  readonly name: 'window' | 'week' | 'period';
  readonly unit: 'request' | 'delivered';
  readonly limit: number;
  readonly used: number;
  readonly held: number;
  readonly left: number;
  /** The period leaves fewer units, so `used` is only an upper bound. */
  readonly isCapped: boolean;
}

interface Report {
  readonly usage: Readonly<
    Record<'request_units' | 'weekly_request_units' | 'delivered_units' | 'weekly_delivered_units', number>
  >;
  readonly limits: Report['usage'];
  readonly reservations: { readonly request_units: number; readonly delivered_units: number };
}

/** The headers give units left in the window; used units follow from them. */
export function intervalsOf(report: Report, rates: RateLimits | undefined): readonly Interval[] {
  const { usage, limits, reservations } = report;
  const requestsHeld = reservations.request_units;
  const period = make('period', 'request', limits.request_units, usage.request_units, requestsHeld);
  const week = make('week', 'request', limits.weekly_request_units, usage.weekly_request_units, requestsHeld);
  const held = reservations.delivered_units;
  return [
    ...(rates ? [windowOf(rates.window, requestsHeld, period.left)] : []),
    capped(week, period.left),
    period,
    make('week', 'delivered', limits.weekly_delivered_units, usage.weekly_delivered_units, held),
    make('period', 'delivered', limits.delivered_units, usage.delivered_units, held),
  ];
}

function make(name: Interval['name'], unit: Interval['unit'], limit: number, used: number, held: number): Interval {
  return { name, unit, limit, used, held, left: Math.max(0, limit - used - held), isCapped: false };
}

function windowOf(window: RateLimits['window'], held: number, periodLeft: number): Interval {
  const { limit, left } = window;
  const used = Math.max(0, limit - left - held);
  return { name: 'window', unit: 'request', limit, used, held, left, isCapped: left === periodLeft && left < limit };
}

/** Admission grants no more than the period leaves. */
function capped(interval: Interval, periodLeft: number): Interval {
  return interval.left > periodLeft ? { ...interval, left: periodLeft, isCapped: true } : interval;
}
