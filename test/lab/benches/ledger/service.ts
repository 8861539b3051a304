import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { startService } from '@ces/servers/processes/service';
import { SERVICES } from '@ces/topology/services';
import type { Client } from '@connectrpc/connect';
import type { BenchServer } from '../../support/server.ts';

type Caller = 'operations' | 'admin';

export interface LedgerProcess extends AsyncDisposable {
  readonly pid: number;
  client<S extends DescService>(service: S, caller: Caller): Client<S>;
}

export async function startLedgerProcess({ databases, directory }: BenchServer): Promise<LedgerProcess> {
  const tokens = { operations: randomBytes(16).toString('hex'), admin: randomBytes(16).toString('hex') };
  const ledger = SERVICES.find(({ name }) => name === 'ledger');
  if (!ledger) throw new Error('there is no ledger');
  const env = {
    PATH: process.env.PATH ?? '',
    CES_LOG_LEVEL: 'error',
    CES_LEDGER_PORT: '0',
    CES_LEDGER_DATABASE_URL: databases.get('ledger')?.url ?? '',
    CES_LEDGER_PEPPERS: `bench=${randomBytes(32).toString('hex')}`,
    CES_LEDGER_SIGNING_KEYS: `bench=${randomBytes(32).toString('hex')}`,
    ...callerSettings(tokens),
  };
  const service = await startService(ledger, env, path.join(directory, 'ledger.log'));
  return {
    pid: service.pid,
    client: (of, caller) =>
      createRpcClient(of, { url: service.url, callerToken: tokens[caller], reason: 'a benchmark', timeoutMs: 30_000 }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
