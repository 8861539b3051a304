import type { AlertCase } from './case.ts';

const AN_HOUR = 60;
const PER_MINUTE = 1_000;

/** Healthy, half an hour in which `share` of calls fails, recovery. */
function outage(share: number, healthy = AN_HOUR): { good: string; bad: string; all: string } {
  const bad = Math.round(PER_MINUTE * share);
  return {
    all: `0+${PER_MINUTE}x600`,
    bad: phases(healthy, 0, bad, 0),
    good: phases(healthy, PER_MINUTE, PER_MINUTE - bad, PER_MINUTE),
  };
}

function phases(minutes: number, first: number, second: number, third: number): string {
  const afterFirst = first * minutes;
  const afterSecond = afterFirst + second * 30;
  return [`0+${first}x${minutes}`, `${afterFirst + second}+${second}x29`, `${afterSecond + third}+${third}x500`].join(
    ' ',
  );
}

function steadily(share: number): { good: string; bad: string; all: string } {
  const bad = Math.round(PER_MINUTE * share);
  return { all: `0+${PER_MINUTE}x600`, bad: `0+${bad}x600`, good: `0+${PER_MINUTE - bad}x600` };
}

const LOOK_UP = 'surface="rest",action="company_lookup",mode="front",outcome="ok"';
const SEARCH = 'surface="mcp",action="company_search",mode="front",outcome="ok"';
const ENDED = 'action="company_search",outcome="delivered"';
const CALLS = 'ces_call_duration_seconds';

/** Over two surfaces: MCP errors count too, although their HTTP status is always 200. */
function errors({ good, bad }: { good: string; bad: string }): Record<string, string> {
  return {
    [`${CALLS}_count{surface="rest",action="company_lookup",mode="front",outcome="ok"}`]: good,
    [`${CALLS}_count{surface="mcp",action="company_search",mode="front",outcome="ours"}`]: bad,
  };
}

function refusals(): Record<string, string> {
  return {
    [`${CALLS}_count{surface="rest",action="company_lookup",mode="front",outcome="ok"}`]: `0+${PER_MINUTE}x600`,
    [`${CALLS}_count{surface="rest",action="company_lookup",mode="front",outcome="client"}`]: `0+${PER_MINUTE}x600`,
    [`${CALLS}_count{surface="grpc",action="company_lookup",mode="front",outcome="limited"}`]: `0+${PER_MINUTE}x600`,
  };
}

function acceptances({ good, bad }: { good: string; bad: string }): Record<string, string> {
  return {
    [`${CALLS}_count{${SEARCH}}`]: good,
    [`${CALLS}_bucket{${SEARCH},le="2"}`]: good,
    [`${CALLS}_count{surface="rest",action="company_search",mode="front",outcome="late"}`]: bad,
  };
}

function failures({ good, bad }: { good: string; bad: string }): Record<string, string> {
  return {
    'ces_operation_duration_seconds_count{action="company_search",outcome="delivered"}': good,
    'ces_operation_duration_seconds_count{action="company_search",outcome="failed"}': bad,
  };
}

function slow(metric: string, labels: string, bound: string) {
  return ({ good, all }: { good: string; all: string }): Record<string, string> => ({
    [`${metric}_count{${labels}}`]: all,
    [`${metric}_bucket{${labels},le="${bound}"}`]: good,
  });
}

const slowLookUps = slow(CALLS, LOOK_UP, '0.3');
const slowSearches = slow(CALLS, SEARCH, '2');
const lateOperations = slow('ces_operation_duration_seconds', ENDED, '60');

/** A fast alert needs both windows and ends soon; a slow one finds what fast ones miss. */
export const OBJECTIVE_CASES: readonly AlertCase[] = [
  {
    alert: 'CesAvailabilityBurnsFast',
    series: errors(outage(0.1, 6 * AN_HOUR)),
    quiet: [360, 364, 430],
    fires: [376, 402],
  },
  { alert: 'CesAvailabilityBurnsFast', series: errors(steadily(0.005)), quiet: [30, 300], fires: [] },
  { alert: 'CesAvailabilityBurnsSlow', series: errors(steadily(0.005)), quiet: [10], fires: [30, 300] },
  { alert: 'CesAvailabilityBurnsSlow', series: errors(steadily(0.002)), quiet: [10], fires: [30] },
  { alert: 'CesAvailabilityBurnsSlow', series: errors(steadily(0.001)), quiet: [30, 300], fires: [] },
  { alert: 'CesAvailabilityBurnsFast', series: refusals(), quiet: [30], fires: [] },
  { alert: 'CesAvailabilityBurnsSlow', series: refusals(), quiet: [30], fires: [] },
  { alert: 'CesSearchSlowFast', series: acceptances(steadily(0.6)), quiet: [1], fires: [10] },
  { alert: 'CesSearchSlowSlow', series: acceptances(steadily(0.05)), quiet: [30], fires: [] },
  { alert: 'CesOperationsFailFast', series: failures(outage(0.6)), quiet: [60, 64, 110], fires: [80] },
  { alert: 'CesOperationsFailFast', series: failures(steadily(0.05)), quiet: [30, 300], fires: [] },
  { alert: 'CesOperationsFailSlow', series: failures(steadily(0.05)), quiet: [10], fires: [30, 300] },
  { alert: 'CesOperationsFailSlow', series: failures(steadily(0.01)), quiet: [30, 300], fires: [] },
  { alert: 'CesLookUpSlowFast', series: slowLookUps(outage(0.6)), quiet: [60, 64, 110], fires: [80] },
  { alert: 'CesLookUpSlowFast', series: slowLookUps(steadily(0.05)), quiet: [30, 300], fires: [] },
  { alert: 'CesLookUpSlowSlow', series: slowLookUps(steadily(0.05)), quiet: [10], fires: [30, 300] },
  { alert: 'CesLookUpSlowSlow', series: slowLookUps(steadily(0.01)), quiet: [30, 300], fires: [] },
  { alert: 'CesSearchSlowFast', series: slowSearches(steadily(0.6)), quiet: [1], fires: [10, 300] },
  { alert: 'CesSearchSlowFast', series: slowSearches(steadily(0.2)), quiet: [30, 300], fires: [] },
  { alert: 'CesSearchSlowSlow', series: slowSearches(steadily(0.2)), quiet: [10], fires: [30, 300] },
  { alert: 'CesSearchSlowSlow', series: slowSearches(steadily(0.05)), quiet: [30, 300], fires: [] },
  { alert: 'CesOperationsLateFast', series: lateOperations(outage(0.6)), quiet: [60, 64, 110], fires: [80] },
  { alert: 'CesOperationsLateFast', series: lateOperations(steadily(0.05)), quiet: [30, 300], fires: [] },
  { alert: 'CesOperationsLateSlow', series: lateOperations(steadily(0.05)), quiet: [10], fires: [30, 300] },
  { alert: 'CesOperationsLateSlow', series: lateOperations(steadily(0.01)), quiet: [30, 300], fires: [] },
];
