import { hash } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger, type Logger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { AuditService } from '@ces/proto/ces/audit/v1/audit_service_pb.ts';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import type { Client } from '@connectrpc/connect';
import { settings } from '../src/config.ts';
import { start } from '../src/start.ts';
import { createTestLedger, type TestLedger } from './test-ledger.ts';

export const OLD_PEPPER = `old=${'0b'.repeat(32)}`;
export const NEW_PEPPER = `new=${'0c'.repeat(32)}`;

export type Caller = 'gateway' | 'operations' | 'admin' | 'search' | 'lookup' | 'acquisition';

export interface ServedLedger extends AsyncDisposable {
  readonly ledger: TestLedger;
  readonly url: string;
  service(caller: Caller | 'anyone'): Client<typeof LedgerService>;
  admin(caller: Caller | 'anyone'): Client<typeof LedgerAdminService>;
  olga(reason: string): Client<typeof LedgerAdminService>;
  audit(): Client<typeof AuditService>;
  restores(): Client<typeof RestoreService>;
  callLimits(caller: Caller | 'anyone'): Client<typeof CallLimitService>;
  serveAgain(peppers: string, logger?: Logger): Promise<ServedLedger>;
}

export async function serveLedger(peppers = OLD_PEPPER): Promise<ServedLedger> {
  const ledger = await createTestLedger();
  const served = await serve(ledger, peppers);
  return {
    ...served,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

async function serve(
  ledger: TestLedger,
  peppers: string,
  logger = createLogger('ledger', 'silent'),
): Promise<ServedLedger> {
  const callers: readonly Caller[] = ['gateway', 'operations', 'admin', 'search', 'lookup', 'acquisition'];
  const known = callerSettings(Object.fromEntries(callers.map((name) => [name, `token-of-${name}`])));
  const config = readSettings(settings, {
    CES_LEDGER_PORT: '0',
    CES_LEDGER_DATABASE_URL: ledger.url,
    CES_LEDGER_PEPPERS: peppers,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    ...known,
    CES_RPC_OPERATORS: `${known.CES_RPC_OPERATORS},olga:operator=${hash('sha256', 'token-of-olga')}`,
  });
  const running = await start(config, logger);
  const options = (caller: Caller | 'anyone') => ({
    url: running.url,
    callerToken: caller === 'anyone' ? undefined : `token-of-${caller}`,
    reason: 'a test',
    timeoutMs: 10_000,
  });
  return {
    ledger,
    url: running.url,
    service: (caller) => createRpcClient(LedgerService, options(caller)),
    admin: (caller) => createRpcClient(LedgerAdminService, options(caller)),
    olga: (reason) =>
      createRpcClient(LedgerAdminService, { ...options('anyone'), callerToken: 'token-of-olga', reason }),
    audit: () => createRpcClient(AuditService, options('admin')),
    restores: () => createRpcClient(RestoreService, options('admin')),
    callLimits: (caller) => createRpcClient(CallLimitService, options(caller)),
    serveAgain: (otherPeppers, otherLogger) => serve(ledger, otherPeppers, otherLogger),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
