import { freePort } from '@ces/servers/ports';
import { onTestFinished } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** What the gateway is called with in these tests. */
export const KEY = 'ces_live_of-this-test';

/** A gateway as a process of its own until the test ends: it needs no database, and its calls of other services fail. */
export async function startLoneGateway(settings: Record<string, string>): Promise<ServiceProcess> {
  const nobody = `http://127.0.0.1:${await freePort(0)}`;
  const started = await startServiceProcess('gateway', {
    CES_PORT: '0',
    CES_RPC_TOKEN: 'of-this-test',
    CES_LEDGER_URL: nobody,
    CES_OPERATIONS_URL: nobody,
    CES_LOOKUP_URL: nobody,
    CES_LOG_LEVEL: 'info',
    ...settings,
  });
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}
