import { readUsageStatementQuery } from '../input/usage-list.ts';
import { renderUsageStatement } from '../output/usage-statement.ts';
import type { Peers } from '../peers.ts';
import { UsageStatement, UsageStatementQuery } from '../schema/usage-statement.ts';
import { callerOf } from '../submit-operation.ts';
import type { Route } from './route.ts';

export function getUsageStatement({ operations }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/usage/statement',
    endpoint: {
      operationId: 'getUsageStatement',
      action: 'statement',
      summary: 'Read what was settled',
      description:
        'Unmetered. Settlements of the subscription in an interval, by operation, oldest first, with reversals. All pages are as of the first and add up to `totals`; without `since` and `until` these are `usage` of GET /api/usage.',
      tag: 'Usage',
      scope: 'usage',
      query: UsageStatementQuery,
      result: { schema: UsageStatement, description: 'A page of the statement, with the totals of all.' },
    },
    async handle(call) {
      const query = readUsageStatementQuery(call.url);
      await call.takePage();
      const page = await operations.getUsageStatement({ caller: callerOf(call), ...query }, call.rpc);
      return { kind: 'finished', body: renderUsageStatement(page), headers: {} };
    },
  };
}
