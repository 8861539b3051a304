import { type Dashboard, perSecond, quantile } from './panel.ts';

const SERVED = 'rpc_server_call_duration_seconds';
const MADE = 'rpc_client_call_duration_seconds';
const STATEMENTS = 'db_client_operation_duration_seconds';
const REQUESTS = 'http_server_request_duration_seconds';

export const programs: Dashboard = {
  uid: 'ces-programs',
  title: 'Company evidence search: programs',
  rows: [
    {
      title: 'Processes',
      panels: [
        {
          title: 'Processes that answer',
          description: 'Scraped with success, by program.',
          unit: 'short',
          queries: [{ expr: 'sum by (service) (up)', legend: '{{service}}' }],
        },
        {
          title: 'Processor time',
          description: 'Processors in use by all processes of a program; one process uses little more than one.',
          unit: 'short',
          queries: [{ expr: perSecond('process_cpu_time_seconds_total', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Busiest event loop',
          description: 'The share of time in which the busiest process of a program worked; near 1 all its calls wait.',
          unit: 'percentunit',
          limit: 0.9,
          queries: [{ expr: 'max by (service) (nodejs_eventloop_utilization_ratio)', legend: '{{service}}' }],
        },
        {
          title: 'Delay of the event loop',
          description: 'p99 since the scrape before: how long what could run had to wait.',
          unit: 's',
          limit: 0.2,
          queries: [{ expr: 'max by (service) (nodejs_eventloop_delay_p99_seconds)', legend: '{{service}}' }],
        },
        {
          title: 'Memory',
          description: 'Of the largest process of a program; at components.NAME.resources.limits.memory it is ended.',
          unit: 'bytes',
          queries: [{ expr: 'max by (service) (process_memory_usage_bytes)', legend: '{{service}}' }],
        },
        {
          title: 'Heap',
          description: 'In use by the largest process; what grows for days and never shrinks is a leak.',
          unit: 'bytes',
          queries: [
            {
              expr: 'max by (service) (sum without (v8js_heap_space_name) (v8js_memory_heap_used_bytes))',
              legend: '{{service}}',
            },
          ],
        },
        {
          title: 'Garbage collection',
          description: 'Share of time that all processes of a program spent on it.',
          unit: 'percentunit',
          queries: [
            {
              expr: perSecond('v8js_gc_duration_seconds_sum', ['service', 'v8js_gc_type']),
              legend: '{{service}} {{v8js_gc_type}}',
            },
          ],
        },
        {
          title: 'Files and connections',
          description: 'Open in the process with most.',
          unit: 'short',
          queries: [{ expr: 'max by (service) (process_open_file_descriptor_count)', legend: '{{service}}' }],
        },
        {
          title: 'Running for',
          description: 'Of the youngest process of a program; a saw-tooth is a process that ends and begins again.',
          unit: 's',
          queries: [{ expr: 'min by (service) (process_uptime_seconds)', legend: '{{service}}' }],
        },
      ],
    },
    {
      title: 'Routes',
      panels: [
        {
          title: 'Requests a second',
          description: 'By route.',
          unit: 'reqps',
          queries: [{ expr: perSecond(`${REQUESTS}_count`, ['http_route']), legend: '{{http_route}}' }],
        },
        {
          title: 'p95 of a request',
          description: 'By route.',
          unit: 's',
          queries: [{ expr: quantile(0.95, REQUESTS, ['http_route']), legend: '{{http_route}}' }],
        },
        {
          title: 'Requests in flight',
          description: 'By method.',
          unit: 'short',
          queries: [
            { expr: 'sum by (http_request_method) (http_server_active_requests)', legend: '{{http_request_method}}' },
          ],
        },
      ],
    },
    {
      title: 'RPCs',
      panels: [
        {
          title: 'Calls served a second',
          description: 'By method.',
          unit: 'reqps',
          queries: [{ expr: perSecond(`${SERVED}_count`, ['rpc_method']), legend: '{{rpc_method}}' }],
        },
        {
          title: 'Calls being served',
          description: 'In all processes of a program, those that wait for a database among them: scaling goes by it.',
          unit: 'short',
          queries: [{ expr: 'sum by (service) (rpc_server_active_requests)', legend: '{{service}}' }],
        },
        {
          title: 'Calls that did not succeed',
          description: 'Refusals by their name; service_unavailable and internal are faults.',
          unit: 'reqps',
          queries: [
            {
              expr: perSecond(`${SERVED}_count`, ['rpc_method', 'error_type'], '{rpc_status_code!="OK"}'),
              legend: '{{rpc_method}} {{error_type}}',
            },
          ],
        },
        {
          title: 'p95 of a call served',
          description: 'By method.',
          unit: 's',
          queries: [{ expr: quantile(0.95, SERVED, ['rpc_method']), legend: '{{rpc_method}}' }],
        },
        {
          title: 'p95 of a call made',
          description:
            'By method, with its way there and back; much above the served one is network or a full process.',
          unit: 's',
          queries: [{ expr: quantile(0.95, MADE, ['rpc_method']), legend: '{{rpc_method}}' }],
        },
      ],
    },
    {
      title: 'Databases',
      panels: [
        {
          title: 'Statements a second',
          description: 'By database and verb.',
          unit: 'ops',
          queries: [
            {
              expr: perSecond(`${STATEMENTS}_count`, ['db_namespace', 'db_operation_name']),
              legend: '{{db_namespace}} {{db_operation_name}}',
            },
          ],
        },
        {
          title: 'p95 of a statement',
          description: 'The wait for a connection included.',
          unit: 's',
          queries: [{ expr: quantile(0.95, STATEMENTS, ['db_namespace']), legend: '{{db_namespace}}' }],
        },
        {
          title: 'Connections in use',
          description: 'Of a pool; CES_<SERVICE>_DATABASE_POOL is its size.',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (db_client_connection_pool_name) (db_client_connection_count{db_client_connection_state="used"})',
              legend: '{{db_client_connection_pool_name}}',
            },
          ],
        },
        {
          title: 'Statements that wait for a connection',
          description: 'Above 0 for long: the pool is too small or the database too slow.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (db_client_connection_pool_name) (db_client_connection_pending_requests)',
              legend: '{{db_client_connection_pool_name}}',
            },
          ],
        },
      ],
    },
  ],
};
