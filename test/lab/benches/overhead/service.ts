import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { readSettings } from '@ces/chassis/service/settings';
import { settings } from '@ces/cli/config';
import { findStack } from '@ces/cli/stack';
import { type Stack, startStack } from '@ces/local/stack';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import { PLENTY } from '../../support/plenty.ts';
import type { BenchServer } from '../../support/server.ts';
import { addressesOf } from '../../support/stack.ts';
import type { Caller } from './caller.ts';

const COMPANIES = 1_000;
const SUBSCRIPTIONS = 200;
const QUERIES = ['warehouse expansion', 'cold storage', 'software tender', 'hiring welders', 'new plant in Ohio'];

export interface Service extends AsyncDisposable {
  readonly pids: Readonly<Record<string, number>>;
  readonly traceFile: string;
  lookUp(caller: Caller, turn: number): Promise<void>;
  search(caller: Caller, turn: number): Promise<void>;
}

export async function startService(
  server: BenchServer,
  traceRatio: number | undefined,
  signal: AbortSignal,
): Promise<Service> {
  const dataDirectory = path.join(server.directory, 'stack');
  const traceFile = path.join(dataDirectory, 'traces.jsonl');
  const tracing =
    traceRatio === undefined
      ? {}
      : { CES_TRACE_FILE: traceFile, CES_TRACE_RATIO: String(traceRatio), CES_TRACE_DELAY_MS: '500' };
  const stack = await startStack({
    dataDirectory,
    port: 0,
    env: { ...addressesOf(server), ...NO_FLOOD_LIMITS, ...tracing, CES_LOG_LEVEL: 'warn' },
    say: (line) => process.stderr.write(`${line}\n`),
    signal,
  });
  const tokens = await subscribe(dataDirectory);
  const headersOf = (turn: number) => ({
    authorization: `Bearer ${tokens[turn % tokens.length]}`,
    'idempotency-key': randomUUID(),
  });
  return {
    pids: programsOf(stack),
    traceFile,
    lookUp: (caller, turn) =>
      caller.call(`${stack.ready.base_url}/api/companies?ids[]=${1 + (turn % COMPANIES)}`, headersOf(turn)),
    search: (caller, turn) =>
      caller.call(
        `${stack.ready.base_url}/api/companies/search`,
        { ...headersOf(turn), 'content-type': 'application/json' },
        JSON.stringify({ query: QUERIES[turn % QUERIES.length], limit: 10 }),
      ),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

function programsOf(stack: Stack): Record<string, number> {
  const { stack: _launcher, ...pids } = stack.ready.pids;
  return Object.fromEntries(Object.entries(pids).filter(([, pid]) => pid > 0));
}

async function subscribe(dataDirectory: string): Promise<string[]> {
  const ledger = findStack(readSettings(settings, { CES_DATA_DIR: dataDirectory }), 'a bench').client(
    'ledger',
    LedgerAdminService,
  );
  const tokens: string[] = [];
  for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
    const { account } = await ledger.createAccount({ name: 'benchmark' });
    const accountId = account?.id ?? 0n;
    await ledger.createSubscription({ accountId, plan: 'professional', ownLimits: PLENTY });
    tokens.push((await ledger.issueCredential({ accountId, label: 'benchmark' })).token);
  }
  return tokens;
}
