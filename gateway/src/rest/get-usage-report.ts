import { renderAllowanceHeaders } from '../output/headers.ts';
import { renderUsageReport } from '../output/usage-report.ts';
import type { Peers } from '../peers.ts';
import { UsageReport } from '../schema/usage-report.ts';
import type { Route } from './route.ts';

export function getUsageReport({ ledger }: Peers): Route {
  return {
    method: 'GET',
    url: '/api/usage',
    endpoint: {
      operationId: 'getUsageReport',
      action: 'allowance',
      summary: 'Read the shared allowance',
      description: 'Unmetered. Shared by all credentials on the subscription.',
      tag: 'Usage',
      scope: 'usage',
      result: { schema: UsageReport, description: 'The usage report of the subscription.' },
    },
    async handle(call) {
      const report = await ledger.getUsageReport({ subscriptionId: call.principal.subscriptionId }, call.rpc);
      const headers = report.allowance ? renderAllowanceHeaders(report.allowance) : {};
      return { kind: 'finished', body: renderUsageReport(report), headers };
    },
  };
}
