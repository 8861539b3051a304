import { randomBytes } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import type { SearchFilters } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { engineUnderTest } from '@ces/test/support/opensearch/engine-under-test.ts';
import { inject } from 'vitest';
import { settings } from '../src/config.ts';
import { type Overrides, start } from '../src/start.ts';
import { filters } from './documents.ts';
import { RECORD_TOKEN, type RecordServer, startRecordServer } from './record-server.ts';

/** A busy machine takes long to index what a test has recorded. */
const TIMEOUT_MS = 60_000;

export async function startSearchStack(overrides: Overrides = {}, environment: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack();
  const database: TestDatabase = stack.use(await createTestDatabase('search'));
  const record: RecordServer = stack.use(await startRecordServer());
  const engine = stack.use(engineUnderTest());
  const natsPrefix = `search_${randomBytes(4).toString('hex')}`;
  const config = readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    ...callerSettings({ operations: tokenOf('operations'), admin: tokenOf('admin'), gateway: tokenOf('gateway') }),
    CES_RPC_TOKENS: `lookup=${RECORD_TOKEN}`,
    CES_LOOKUP_URL: record.url,
    NATS_URL: inject('natsUrl'),
    CES_NATS_PREFIX: natsPrefix,
    CES_SEARCH_EMBEDDER: 'none',
    ...engine.environment,
    ...environment,
  });
  const service = await start(config, createLogger('search', 'silent'), overrides);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= Promise.resolve(service[Symbol.asyncDispose]());
    return stopped;
  };
  stack.defer(stop);
  const client = (url: string, caller: string) =>
    createRpcClient(SearchService, { url, callerToken: tokenOf(caller), timeoutMs: TIMEOUT_MS });
  const adminAs = (caller: string) =>
    createRpcClient(SearchAdminService, {
      url: service.url,
      callerToken: tokenOf(caller),
      reason: 'a test',
      timeoutMs: TIMEOUT_MS,
    });
  return {
    database,
    record,
    config,
    natsPrefix,
    search: client(service.url, 'operations'),
    clientAs: (caller: string) => client(service.url, caller),
    clientOf: (url: string) => client(url, 'operations'),
    admin: adminAs('admin'),
    /** Uses another caller's token. */
    adminAs,
    stop,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

function tokenOf(caller: string): string {
  return `token-of-${caller}`;
}

export type SearchStack = Awaited<ReturnType<typeof startSearchStack>>;

export async function searchFor(
  stack: SearchStack,
  query: string,
  options: {
    readonly filters?: SearchFilters;
    readonly waitForTx?: bigint;
    readonly explain?: boolean;
    readonly candidateLimit?: number;
    readonly maxCompanies?: number;
    readonly timeoutMs?: number;
  } = {},
) {
  const chosen = options.filters ?? filters();
  const { plan } = await stack.search.plan({ query, filters: chosen });
  const call = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
  const request = {
    ...(plan && { plan }),
    filters: chosen,
    candidateLimit: options.candidateLimit ?? 100,
    maxCompanies: options.maxCompanies ?? 100,
    explain: options.explain ?? false,
    waitForTx: options.waitForTx ?? 0n,
  };
  return await stack.search.search(request, call);
}
