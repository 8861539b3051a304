import { ENGINE_ROW } from './engine.ts';
import { type Dashboard, perSecond, quantile } from './panel.ts';

const CALLS = 'ces_call_duration_seconds';
const LOOK_UPS = '{action="company_lookup",outcome="ok"}';
const SEARCHES = '{action="company_search",mode="front",outcome=~"ok|late"}';

export const overview: Dashboard = {
  uid: 'ces-overview',
  title: 'Company evidence search: overview',
  rows: [
    {
      title: 'What subscribers get',
      panels: [
        {
          title: 'Calls a second by what they came to',
          description:
            'Over REST, MCP and gRPC. ours: our fault; late: an acceptance came where a result was waited for; limited and client: limits and input of the caller, no faults.',
          unit: 'reqps',
          queries: [{ expr: perSecond(`${CALLS}_count`, ['outcome']), legend: '{{outcome}}' }],
        },
        {
          title: 'Share of calls that fail by our fault',
          description: 'The promise is one in a thousand over a month; the alerts compare an hour and six hours.',
          unit: 'percentunit',
          limit: 0.001,
          queries: [
            { expr: 'ces:availability:errors_5m', legend: '5 minutes' },
            { expr: 'ces:availability:errors_1h', legend: '1 hour' },
            { expr: 'ces:availability:errors_6h', legend: '6 hours' },
          ],
        },
        {
          title: 'Calls a second by surface',
          description: 'REST and MCP as the gateway counts them, gRPC as operations does.',
          unit: 'reqps',
          queries: [{ expr: perSecond(`${CALLS}_count`, ['surface', 'action']), legend: '{{surface}} {{action}}' }],
        },
        {
          title: 'Look-ups',
          description: 'Of companies, over every surface. The promise is a p99 of 300 ms.',
          unit: 's',
          limit: 0.3,
          queries: [
            { expr: quantile(0.5, CALLS, [], LOOK_UPS), legend: 'p50' },
            { expr: quantile(0.99, CALLS, [], LOOK_UPS), legend: 'p99' },
          ],
        },
        {
          title: 'Searches that are waited for',
          description: 'Those that end in an acceptance among them. The promise is a p95 of 2 s.',
          unit: 's',
          limit: 2,
          queries: [
            { expr: quantile(0.5, CALLS, [], SEARCHES), legend: 'p50' },
            { expr: quantile(0.95, CALLS, [], SEARCHES), legend: 'p95' },
          ],
        },
        {
          title: 'Searches from acceptance to the end',
          description: 'Background ones included; the promise is a p99 of 60 s.',
          unit: 's',
          limit: 60,
          queries: [
            {
              expr: quantile(0.99, 'ces_operation_duration_seconds', ['outcome'], '{action="company_search"}'),
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
              expr: perSecond('ces_operation_duration_seconds_count', ['action', 'outcome']),
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
          queries: [{ expr: 'max by (state) (ces_operations_oldest_seconds)', legend: '{{state}}' }],
        },
        {
          title: 'Calls at the gateway',
          description:
            'Calls beyond the limit wait for a slot; those that wait too long are refused with 503 and Retry-After.',
          unit: 'short',
          queries: [
            { expr: 'sum(ces_calls_active)', legend: 'active' },
            { expr: 'sum(ces_calls_waiting)', legend: 'waiting' },
            { expr: 'sum(ces_calls_limit)', legend: 'limit' },
          ],
        },
        {
          title: 'Runs of operations',
          description:
            'Work in all processes of operations beside the slots for it: waited for, in the background, at sources.',
          unit: 'short',
          queries: [
            { expr: 'sum by (kind) (ces_runs_active)', legend: '{{kind}}' },
            { expr: 'sum by (kind) (ces_runs_limit)', legend: '{{kind}}, slots' },
          ],
        },
        {
          title: 'Operations that have not ended',
          description: 'What waits for a worker, and what is worked on.',
          unit: 'short',
          queries: [{ expr: 'max by (state) (ces_operations_unfinished)', legend: '{{state}}' }],
        },
        {
          title: 'Oldest job that could have been taken',
          description: 'Seconds at most; more means that no worker is free or none is running.',
          unit: 's',
          limit: 60,
          queries: [{ expr: 'max(ces_jobs_oldest_due_seconds)', legend: 'waited' }],
        },
        {
          title: 'Oldest hold',
          description: 'No operation lives longer than 45 minutes.',
          unit: 's',
          limit: 3600,
          queries: [{ expr: 'max(ces_holds_oldest_seconds)', legend: 'held' }],
        },
        {
          title: 'Drift',
          description:
            'Always 0: counters are what entries and holds add up to, and operations says what the ledger says.',
          unit: 'short',
          queries: [
            { expr: 'max(ces_ledger_drift)', legend: 'counters of the ledger' },
            { expr: 'max(ces_operations_drift)', legend: 'operations' },
          ],
        },
        {
          title: 'Lag of the index',
          description: 'Time since the index last had every change of the record.',
          unit: 's',
          limit: 60,
          queries: [{ expr: 'max(ces_index_lag_seconds{service!="search-fill"})', legend: 'lag' }],
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
    ENGINE_ROW,
  ],
};
