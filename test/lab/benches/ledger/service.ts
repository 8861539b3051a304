import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { REPOSITORY } from '@ces/topology/services';
import type { Client } from '@connectrpc/connect';

type Caller = 'operations' | 'admin';

export interface LedgerProcess extends AsyncDisposable {
  readonly pid: number;
  client<S extends DescService>(service: S, caller: Caller): Client<S>;
}

/** Writes a CPU profile to `profileDirectory` when the process ends. */
export async function startLedgerProcess(databaseUrl: string, profileDirectory?: string): Promise<LedgerProcess> {
  const tokens = { operations: randomBytes(16).toString('hex'), admin: randomBytes(16).toString('hex') };
  const profile = profileDirectory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const child = spawn(process.execPath, [...profile, path.join(REPOSITORY, 'services/ledger/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      CES_LOG_LEVEL: 'error',
      CES_LEDGER_PORT: '0',
      CES_LEDGER_DATABASE_URL: databaseUrl,
      CES_LEDGER_PEPPERS: `bench=${randomBytes(32).toString('hex')}`,
      CES_LEDGER_SIGNING_KEYS: `bench=${randomBytes(32).toString('hex')}`,
      ...callerSettings(tokens),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [message] = await Promise.race([once(child, 'message'), ended]);
  if (typeof message !== 'object' || message === null || child.pid === undefined)
    throw new Error('the ledger ended before it was ready');
  const { url } = message as { url: string };
  return {
    pid: child.pid,
    client: (service, caller) =>
      createRpcClient(service, { url, callerToken: tokens[caller], reason: 'a benchmark', timeoutMs: 30_000 }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
