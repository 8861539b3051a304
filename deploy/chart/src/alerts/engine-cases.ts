import type { AlertCase } from './case.ts';

const REQUESTS = 'ces_search_engine_requests_total';

/** A counter that is flat for ten minutes, grows by `perMinute` for twenty, and is flat again. */
function forTwentyMinutes(perMinute: number): string {
  return `0x9 ${perMinute}+${perMinute}x19 ${perMinute * 20}x40`;
}

function reads(outcome: string): string {
  return `${REQUESTS}{engine="opensearch",operation="rank",outcome="${outcome}"}`;
}

function bulks(outcome: string): string {
  return `${REQUESTS}{engine="opensearch",service="search",operation="bulk",outcome="${outcome}"}`;
}

export const ENGINE_CASES: readonly AlertCase[] = [
  {
    alert: 'CesSearchEngineAway',
    series: { [reads('ok')]: '0+100x80', [reads('unavailable')]: forTwentyMinutes(10) },
    quiet: [9, 11, 45],
    fires: [20],
  },
  // One failure in a hundred reads, partial answers and failed writes must not fire this alert.
  {
    alert: 'CesSearchEngineAway',
    series: {
      [reads('ok')]: '0+99x80',
      [reads('failed')]: '0+1x80',
      [reads('partial')]: '0+50x80',
      [bulks('unavailable')]: '0+100x80',
    },
    quiet: [30],
    fires: [],
  },
  {
    alert: 'CesSearchEnginePartial',
    series: { [reads('ok')]: '0+100x80', [reads('partial')]: forTwentyMinutes(10) },
    quiet: [9, 14, 45],
    fires: [24],
  },
  // A single rejected write that the next attempt indexes must not fire the alert.
  { alert: 'CesSearchEngineRejects', series: { [bulks('rejected')]: '0x9 1x60' }, quiet: [11, 20, 30], fires: [] },
  {
    alert: 'CesSearchEngineRejects',
    series: { [bulks('ok')]: '0+10x80', [bulks('rejected')]: forTwentyMinutes(1) },
    quiet: [9, 19, 45],
    fires: [24],
  },
];
