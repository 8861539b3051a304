import { freePort } from '@ces/servers/ports';
import { onTestFinished } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

export const KEY = 'ces_live_of-this-test';

/**
 * Starts a gateway process until the test ends. It needs no database, and its calls of other
 * services fail.
 */
export async function startLoneGateway(settings: Record<string, string>): Promise<ServiceProcess> {
  const nobody = `http://127.0.0.1:${await freePort(0)}`;
  const started = await startServiceProcess('gateway', {
    CES_PORT: '0',
    CES_RPC_TOKENS: 'ledger=t,operations=t,lookup=t',
    CES_LEDGER_URL: nobody,
    CES_OPERATIONS_URL: nobody,
    CES_LOOKUP_URL: nobody,
    CES_LOG_LEVEL: 'info',
    ...settings,
  });
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}
