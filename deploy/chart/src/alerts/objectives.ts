import type { AlertRule, Recording, RuleGroup } from './rule.ts';

const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

const CALLS = 'ces_call_duration_seconds';
/** Calls that count for availability. Faults of the caller and rate limits do not. */
const ANSWERABLE = 'outcome=~"ok|late|ours"';
const SEARCHES = 'action="company_search",mode="front"';
const LOOK_UPS = 'action="company_lookup"';

interface Objective {
  /** The part of the recorded series' name between `ces:` and the window. */
  readonly name: string;
  /** Exactly one of `broken` and `kept` counts calls that broke or kept it. */
  readonly all: string;
  readonly broken?: string;
  readonly kept?: string;
}

const OBJECTIVES: readonly Objective[] = [
  { name: 'availability:errors', broken: `${CALLS}_count{outcome="ours"}`, all: `${CALLS}_count{${ANSWERABLE}}` },
  {
    name: 'look_up:slow',
    kept: `${CALLS}_bucket{${LOOK_UPS},outcome="ok",le="0.3"}`,
    all: `${CALLS}_count{${LOOK_UPS},outcome=~"ok|late"}`,
  },
  {
    name: 'search:slow',
    kept: `${CALLS}_bucket{${SEARCHES},outcome="ok",le="2"}`,
    all: `${CALLS}_count{${SEARCHES},outcome=~"ok|late"}`,
  },
  {
    name: 'operation:late',
    kept: 'ces_operation_duration_seconds_bucket{action="company_search",le="60"}',
    all: 'ces_operation_duration_seconds_count{action="company_search"}',
  },
  {
    name: 'operation:failed',
    broken: 'ces_operation_duration_seconds_count{outcome="failed"}',
    all: 'ces_operation_duration_seconds_count',
  },
];

export const SHARES: RuleGroup = {
  name: 'ces-objectives',
  interval: '30s',
  rules: WINDOWS.flatMap((window) => OBJECTIVES.map((objective) => shareOver(window, objective))),
};

/** A counter without a series yet counts as 0, because Prometheus returns nothing for it. */
function shareOver(window: string, { name, all, broken, kept = '' }: Objective): Recording {
  const total = `sum(rate(${all}[${window}]))`;
  const orNone = (counter: string) => `(sum(rate(${counter}[${window}])) or 0 * ${total})`;
  const bad = broken ? orNone(broken) : `(${total} - ${orNone(kept)})`;
  return { record: `ces:${name}_${window}`, expr: `${bad}\n/ ${total}` };
}

type Facts = Pick<AlertRule, 'alert' | 'summary' | 'runbook'>;

/** Google SRE Workbook, chapter 5: a longer window confirms a short one. */
export const BURN_RATES: RuleGroup = {
  name: 'ces-burn-rates',
  rules: [
    fast(
      `(${both('availability:errors', '5m', '1h', '14.4 * 0.001')})\nor (${both('availability:errors', '30m', '6h', '6 * 0.001')})`,
      {
        alert: 'CesAvailabilityBurnsFast',
        summary: 'Calls fail by our fault so often that the month’s budget is gone within days.',
        runbook: 'availability',
      },
    ),
    slow(
      `(${both('availability:errors', '2h', '1d', '3 * 0.001')})\nor (${both('availability:errors', '6h', '3d', '0.001')})`,
      {
        alert: 'CesAvailabilityBurnsSlow',
        summary: 'Calls fail by our fault more often than the month’s budget allows.',
        runbook: 'availability',
      },
    ),
    ...pair('look_up:slow', ['0.144', '0.03'], {
      alert: 'CesLookUpSlow',
      summary: 'Look-ups take more than 300 ms',
      runbook: 'look-up-slow',
    }),
    ...pair('search:slow', ['0.5', '0.15'], {
      alert: 'CesSearchSlow',
      summary: 'Searches that are waited for take more than 2 s, or end in an acceptance,',
      runbook: 'search-slow',
    }),
    ...pair('operation:late', ['0.144', '0.03'], {
      alert: 'CesOperationsLate',
      summary: 'Searches take more than 60 s from acceptance to the end',
      runbook: 'operations-late',
    }),
    ...pair('operation:failed', ['0.144', '0.03'], {
      alert: 'CesOperationsFail',
      summary: 'Accepted operations fail',
      runbook: 'operations-fail',
    }),
  ],
};

function pair(name: string, [most, some]: readonly [string, string], { alert, summary, runbook }: Facts): AlertRule[] {
  return [
    fast(both(name, '5m', '1h', most), {
      alert: `${alert}Fast`,
      summary: `${summary} far more often than allowed.`,
      runbook,
    }),
    slow(both(name, '2h', '1d', some), {
      alert: `${alert}Slow`,
      summary: `${summary} more often than allowed.`,
      runbook,
    }),
  ];
}

function both(name: string, short: string, long: string, above: string): string {
  return `ces:${name}_${short} > ${above} and ces:${name}_${long} > ${above}`;
}

function fast(expr: string, facts: Facts): AlertRule {
  return { ...facts, expr, for: '2m', severity: 'page' };
}

function slow(expr: string, facts: Facts): AlertRule {
  return { ...facts, expr, for: '15m', severity: 'ticket' };
}
