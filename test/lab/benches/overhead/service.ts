import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { NO_FLOOD_LIMITS } from '../../../support/no-flood-limits.ts';
import { AMPLE, createAccount } from '../../load/subscribers.ts';
import type { Caller } from '../../support/caller.ts';
import type { BenchServer } from '../../support/server.ts';
import { openBenchStack } from '../../support/stack.ts';

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
  const traceFile = path.join(server.directory, 'traces.jsonl');
  const tracing =
    traceRatio === undefined
      ? {}
      : { CES_TRACE_FILE: traceFile, CES_TRACE_RATIO: String(traceRatio), CES_TRACE_DELAY_MS: '500' };
  const env = { ...NO_FLOOD_LIMITS, ...tracing, CES_LOG_LEVEL: 'warn' };
  const bench = await openBenchStack({ sample: true, server, env, signal });
  const ledger = bench.stack.client('ledger', LedgerAdminService);
  const tokens: string[] = [];
  while (tokens.length < SUBSCRIPTIONS) tokens.push(...(await createAccount(ledger, AMPLE, 1)).tokens);
  const baseUrl = bench.stack.addressOf('gateway');
  const headersOf = (turn: number) => ({
    authorization: `Bearer ${tokens[turn % tokens.length]}`,
    'idempotency-key': randomUUID(),
  });
  return {
    pids: bench.pids,
    traceFile,
    lookUp: (caller, turn) => caller.call(`${baseUrl}/api/companies?ids[]=${1 + (turn % COMPANIES)}`, headersOf(turn)),
    search: (caller, turn) =>
      caller.call(
        `${baseUrl}/api/companies/search`,
        { ...headersOf(turn), 'content-type': 'application/json' },
        JSON.stringify({ query: QUERIES[turn % QUERIES.length], limit: 10 }),
      ),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
