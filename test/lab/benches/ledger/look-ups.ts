import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack } from '@ces/cli/stack';
import { startStack } from '@ces/local/stack';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { databaseSetting, ownerDatabaseSetting } from '@ces/topology/services';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import { PLENTY } from '../../support/plenty.ts';
import { type Rate, rateOf } from '../../support/rate.ts';
import type { BenchServer } from '../../support/server.ts';

const COMPANIES = 1_000;

/**
 * Measures metered look-ups of one company over the public interface, with `callers` concurrent
 * calls on one subscription.
 */
export async function measureLookUps(
  server: BenchServer,
  callers: number,
  seconds: number,
  signal: AbortSignal,
): Promise<Rate> {
  const dataDirectory = path.join(server.directory, 'stack');
  const addresses = [...server.databases].flatMap(([name, { url, ownerUrl }]) => [
    [databaseSetting(name), url],
    [ownerDatabaseSetting(name), ownerUrl],
  ]);
  await using running = await startStack({
    dataDirectory,
    port: 0,
    env: { ...Object.fromEntries(addresses), ...NO_FLOOD_LIMITS, CES_LOG_LEVEL: 'error' },
    say: (line) => process.stderr.write(`${line}\n`),
    signal,
  });
  const token = await subscribe(dataDirectory);
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers });
  try {
    return await rateOf(callers, seconds, () => lookUp(running.ready.base_url, token, agent));
  } finally {
    agent.destroy();
  }
}

async function subscribe(dataDirectory: string): Promise<string> {
  const stack = findStack(readSettings(settings, { CES_DATA_DIR: dataDirectory }), 'a bench');
  const ledger = stack.client('ledger', LedgerAdminService);
  const { account } = await ledger.createAccount({ name: 'benchmark' });
  const accountId = account?.id ?? 0n;
  await ledger.createSubscription({ accountId, plan: 'professional', ownLimits: PLENTY });
  return (await ledger.issueCredential({ accountId, label: 'benchmark' })).token;
}

async function lookUp(baseUrl: string, token: string, agent: http.Agent): Promise<void> {
  const id = 1 + Math.floor(Math.random() * COMPANIES);
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() };
  const request = http.get(`${baseUrl}/api/companies?ids[]=${id}`, { agent, headers });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const body = (await response.toArray()).join('');
  if (response.statusCode !== 200) throw new Error(`a look-up was answered with ${response.statusCode}: ${body}`);
}
