import type { RateLimits } from './rate-limit.ts';

/** Units of one interval: used + held + left make its limit, unless another interval leaves less. */
export interface Interval {
  readonly name: 'window' | 'week' | 'period';
  readonly unit: 'request' | 'delivered';
  readonly limit: number;
  readonly used: number;
  readonly held: number;
  readonly left: number;
  /** The period leaves less than this interval would: what is used in it is then known no better than “at most”. */
  readonly isCapped: boolean;
}

/** The numbers of GET /api/usage that are shown. */
interface Report {
  readonly usage: Readonly<
    Record<'request_units' | 'weekly_request_units' | 'delivered_units' | 'weekly_delivered_units', number>
  >;
  readonly limits: Report['usage'];
  readonly reservations: { readonly request_units: number; readonly delivered_units: number };
}

/**
 * What is used, held and left, narrowest interval first. The report knows week and period; of the window the headers say what is left
 * in request units, and what is used follows from it.
 */
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

/** As admission counts: no interval offers more than the period leaves. */
function capped(interval: Interval, periodLeft: number): Interval {
  return interval.left > periodLeft ? { ...interval, left: periodLeft, isCapped: true } : interval;
}
