import { type Dashboard, perSecond, quantile } from './panel.ts';

const REQUESTS = 'http_server_request_duration';
const API = '{http_route=~"/api/.*|/mcp"}';
const LOOK_UPS = '{http_request_method="GET",http_route=~"/api/companies(/:id)?",http_response_status_code="200"}';
const SEARCHES = '{http_route="/api/companies/search",http_response_status_code="200"}';

/** What subscribers get, and what waits or is wrong inside. */
export const overview: Dashboard = {
  uid: 'ces-overview',
  title: 'Company evidence search: overview',
  rows: [
    {
      title: 'What subscribers get',
      panels: [
        {
          title: 'Calls a second by status',
          description: '5xx are ours; 429 and 402 are allowances, not faults.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(`${REQUESTS}_count`, ['http_response_status_code'], API),
              legend: '{{http_response_status_code}}',
            },
          ],
        },
        {
          title: 'Share of calls that end in 5xx',
          description: 'The promise is one in a thousand over a month.',
          unit: 'percentunit',
          limit: 0.001,
          queries: [
            {
              expr: `sum(rate(${REQUESTS}_count{http_route=~"/api/.*|/mcp",http_response_status_code=~"5.."}[$__rate_interval])) / sum(rate(${REQUESTS}_count${API}[$__rate_interval]))`,
              legend: '5xx',
            },
          ],
        },
        {
          title: 'Look-ups',
          description: 'The promise is a p99 of 300 ms.',
          unit: 's',
          limit: 0.3,
          queries: [
            { expr: quantile(0.5, REQUESTS, [], LOOK_UPS), legend: 'p50' },
            { expr: quantile(0.99, REQUESTS, [], LOOK_UPS), legend: 'p99' },
          ],
        },
        {
          title: 'Synchronous searches',
          description: 'The promise is a p95 of 2 s.',
          unit: 's',
          limit: 2,
          queries: [
            { expr: quantile(0.5, REQUESTS, [], SEARCHES), legend: 'p50' },
            { expr: quantile(0.95, REQUESTS, [], SEARCHES), legend: 'p95' },
          ],
        },
        {
          title: 'Searches from acceptance to the end',
          description: 'Background ones included; the promise is a p99 of 60 s.',
          unit: 's',
          limit: 60,
          queries: [
            {
              expr: quantile(0.99, 'ces_operation_duration', ['outcome'], '{action="company_search"}'),
              legend: 'p99 {{outcome}}',
            },
          ],
        },
        {
          title: 'Operations that ended',
          description: 'A rising share of failed ones is a fault of search or of the sources.',
          unit: 'short',
          queries: [
            {
              expr: perSecond('ces_operation_duration_count', ['action', 'outcome']),
              legend: '{{action}} {{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'What waits or is wrong inside',
      panels: [
        {
          title: 'Oldest operation that has not ended',
          description: 'created, stored and failing pass within seconds; running may take its time.',
          unit: 's',
          queries: [{ expr: 'max by (point) (ces_operations_oldest)', legend: '{{point}}' }],
        },
        {
          title: 'Calls at the gateway',
          description:
            'How many may be worked on at once follows latency; what waits too long is refused with 503 and Retry-After.',
          unit: 'short',
          queries: [
            { expr: 'sum(ces_calls_at_work)', legend: 'at work' },
            { expr: 'sum(ces_calls_waiting)', legend: 'waiting' },
            { expr: 'sum(ces_calls_limit)', legend: 'may be at work' },
          ],
        },
        {
          title: 'Operations that have not ended',
          description: 'What waits for a worker, and what is worked on.',
          unit: 'short',
          queries: [{ expr: 'max by (point) (ces_operations_unfinished)', legend: '{{point}}' }],
        },
        {
          title: 'Oldest job that could have been taken',
          description: 'Seconds at most; more means that no worker is free or none is running.',
          unit: 's',
          limit: 60,
          queries: [{ expr: 'max(ces_jobs_oldest_due)', legend: 'waited' }],
        },
        {
          title: 'Oldest hold',
          description: 'No operation lives longer than 45 minutes.',
          unit: 's',
          limit: 3600,
          queries: [{ expr: 'max(ces_holds_oldest)', legend: 'held' }],
        },
        {
          title: 'Drift',
          description:
            'Always 0: counters are what entries and holds add up to, and operations says what the ledger says.',
          unit: 'short',
          queries: [
            { expr: 'max(ledger_drift)', legend: 'counters of the ledger' },
            { expr: 'max(operations_drift)', legend: 'operations' },
          ],
        },
        {
          title: 'Index behind the record',
          description: 'Time since the index last had everything.',
          unit: 's',
          limit: 60,
          queries: [{ expr: 'max(ces_index_behind)', legend: 'behind' }],
        },
        {
          title: 'Withheld units',
          description: 'Paid evidence that was withdrawn since; a jump follows a withdrawal of much evidence.',
          unit: 'short',
          queries: [{ expr: 'sum(rate(ces_withheld_units_total[$__rate_interval]))', legend: 'a second' }],
        },
        {
          title: 'Leases lost',
          description: 'Workers that stalled longer than their lease.',
          unit: 'short',
          queries: [{ expr: 'sum(rate(ces_lease_lost_total[$__rate_interval]))', legend: 'a second' }],
        },
      ],
    },
  ],
};
