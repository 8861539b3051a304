import type { RuleGroup } from './rule.ts';

const REQUESTS = 'ces_search_engine_requests_total';
/** Requests of searches to an engine other than Postgres; without one there is no such series. */
const READS = 'operation=~"rank|literal"';

function shareOfReads(outcome: string): string {
  return `sum by (engine) (rate(${REQUESTS}{${READS},${outcome}}[5m])) / sum by (engine) (rate(${REQUESTS}{${READS}}[5m]))`;
}

export const ENGINE: RuleGroup = {
  name: 'ces-search-engine',
  rules: [
    {
      alert: 'CesSearchEngineAway',
      expr: `${shareOfReads('outcome!~"ok|partial"')} > 0.05`,
      for: '2m',
      severity: 'page',
      summary: 'Searches get no answer from {{ $labels.engine }}, which has the index.',
      runbook: 'search-engine-away',
    },
    {
      alert: 'CesSearchEnginePartial',
      expr: `${shareOfReads('outcome="partial"')} > 0.05`,
      for: '5m',
      severity: 'page',
      summary: 'Parts of the index in {{ $labels.engine }} do not answer: searches leave out what is in them.',
      runbook: 'search-engine-partial',
    },
    {
      alert: 'CesSearchEngineRejects',
      expr: `sum by (engine, service) (rate(${REQUESTS}{operation="bulk",outcome="rejected"}[5m])) > 0`,
      for: '10m',
      severity: 'ticket',
      summary: '{{ $labels.engine }} takes no writes from {{ $labels.service }}: the index falls behind.',
      runbook: 'search-engine-rejects',
    },
  ],
};
