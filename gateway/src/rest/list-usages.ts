import { readUsageListQuery } from '../input/usage-list.ts';
import { renderUsageList } from '../output/usage-list.ts';
import type { Peers } from '../peers.ts';
import { UsageList, UsageListQuery } from '../schema/usage-list.ts';
import { callerOf } from '../submit-operation.ts';
import type { Route } from './route.ts';

export function listUsages({ operations }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/usages',
    endpoint: {
      operationId: 'listUsages',
      action: 'usages',
      summary: "List the account's operations",
      description:
        'Unmetered, newest accepted first, of all credentials of the account. What arrives while you page neither repeats nor skips what was there. Results are read with GET /api/usages/{id}.',
      tag: 'Usage',
      scope: 'usage',
      query: UsageListQuery,
      result: { schema: UsageList, description: 'A page of operations without their results.' },
    },
    async handle(call) {
      const query = readUsageListQuery(call.url);
      await call.takePage();
      const page = await operations.listUsages({ caller: callerOf(call), ...query }, call.rpc);
      return { kind: 'finished', body: renderUsageList(page), headers: {} };
    },
  };
}
