import { type Dashboard, perSecond, quantile } from './panel.ts';

const SERVED = 'rpc_server_call_duration';
const MADE = 'rpc_client_call_duration';
const STATEMENTS = 'db_client_operation_duration';
const REQUESTS = 'http_server_request_duration';

/** Rate, errors and duration of every route, RPC and pool. */
export const programs: Dashboard = {
  uid: 'ces-programs',
  title: 'Company evidence search: programs',
  rows: [
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
