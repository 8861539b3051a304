import { type Dashboard, perSecond, quantile } from './panel.ts';

const REQUESTS = 'ces_search_engine_requests_total';
const READS = 'operation=~"rank|literal"';

export const ENGINE_ROW: Dashboard['rows'][number] = {
  title: 'OpenSearch',
  panels: [
    {
      title: 'Requests to the engine a second',
      description:
        'By operation and what it came to. unavailable: no node answers; rejected: it has no room for more, or a full disk; partial: shards did not answer.',
      unit: 'reqps',
      queries: [{ expr: perSecond(REQUESTS, ['operation', 'outcome']), legend: '{{operation}} {{outcome}}' }],
    },
    {
      title: 'Requests of searches without a whole answer',
      description: 'Share by what they came to; a search says itself that a part is missing.',
      unit: 'percentunit',
      limit: 0.05,
      queries: [
        {
          expr: `sum by (outcome) (rate(${REQUESTS}{${READS},outcome!="ok"}[$__rate_interval])) / on () group_left () sum(rate(${REQUESTS}{${READS}}[$__rate_interval]))`,
          legend: '{{outcome}}',
        },
      ],
    },
    {
      title: 'p95 of a request to the engine',
      description: 'By operation, with the way there and back.',
      unit: 's',
      queries: [{ expr: quantile(0.95, 'ces_search_engine_seconds', ['operation']), legend: '{{operation}}' }],
    },
    {
      title: 'Lag of the indexes',
      description:
        'search: the index that answers; search-fill: the one that is filled beside it, which may lag for hours at first.',
      unit: 's',
      limit: 60,
      queries: [{ expr: 'max by (service) (ces_index_lag_seconds)', legend: '{{service}}' }],
    },
  ],
};
