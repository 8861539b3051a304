import { randomBytes } from 'node:crypto';
import { settings as acquisitionSettings } from '@ces/acquisition/config';
import { start as startAcquisition } from '@ces/acquisition/start';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { settings as gatewaySettings } from '@ces/gateway/config';
import { start as startGateway } from '@ces/gateway/start';
import { settings as ledgerSettings } from '@ces/ledger/config';
import { start as startLedger } from '@ces/ledger/start';
import { settings as lookupSettings } from '@ces/lookup/config';
import { start as startLookup } from '@ces/lookup/start';
import { settings as operationsSettings } from '@ces/operations/config';
import { start as startOperations } from '@ces/operations/start';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings as searchSettings } from '@ces/search/config';
import { start as startSearch } from '@ces/search/start';
import { expect, inject, vi } from 'vitest';
import { createTestDatabase, type ServiceName, type TestDatabase } from './database.ts';
import { engineUnderTest } from './opensearch/engine-under-test.ts';
import { isOutside, openOutsideStack } from './outside-stack.ts';
import { programLogger } from './program-log.ts';

export type Environment = Readonly<Record<string, string>>;

export interface TestStackOptions {
  readonly env?: Environment;
  /** Settings for one service. They override `env`. */
  readonly own?: (service: Caller) => Environment;
  /** Settings of acquisition. Without them it does not run. */
  readonly acquisition?: Environment;
}

/**
 * Gateway and services in this process, each with its own database, over real RPC, Postgres and
 * NATS. The CES_TEST_* variables select a running stack instead.
 */
export interface TestStack extends AsyncDisposable {
  readonly baseUrl: string;
  environmentOf(service: Caller): Environment;
  readonly databases: Readonly<Record<ServiceName, TestDatabase>>;
  readonly ledger: ReturnType<typeof createRpcClient<typeof LedgerService>>;
  readonly ledgerAdmin: ReturnType<typeof createRpcClient<typeof LedgerAdminService>>;
  readonly record: ReturnType<typeof createRpcClient<typeof RecordService>>;
  readonly searchAdmin: ReturnType<typeof createRpcClient<typeof SearchAdminService>>;
  readonly operationsAdmin: ReturnType<typeof createRpcClient<typeof OperationsAdminService>>;
  readonly acquisitionAdmin: ReturnType<typeof createRpcClient<typeof AcquisitionAdminService>>;
  readonly acquisitionDatabase: TestDatabase | undefined;
  /**
   * Resolves when the index has applied every change of the record up to and including transaction
   * `tx`.
   */
  untilIndexed(tx?: bigint): Promise<void>;
}

const CALLERS = ['gateway', 'operations', 'search', 'lookup', 'acquisition', 'admin'] as const;
const SERVICES = ['ledger', 'operations', 'search', 'lookup', 'acquisition'] as const;
const logger = programLogger('test');
const quietly = () => logger;

export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  return isOutside(process.env) ? await openOutsideStack(process.env) : await startInside(options);
}

async function startInside(options: TestStackOptions): Promise<TestStack> {
  await using cleanup = new AsyncDisposableStack();
  const databases = await createDatabases();
  cleanup.defer(() => disposeOf(Object.values(databases)));
  const { acquisition: ownEnvironment } = options;
  const acquisitionDatabase = ownEnvironment && cleanup.use(await createTestDatabase('acquisition'));
  const engine = cleanup.use(engineUnderTest());
  const environment = testEnvironment(databases, { ...engine.environment, ...options.env });
  /** Operations stops before the services that it calls. */
  const called: AsyncDisposable[] = [];
  cleanup.defer(() => disposeOf(called));
  const run = async <S>(
    name: Caller,
    start: (env: Environment) => Promise<S & RunningService>,
  ): Promise<S & RunningService> => {
    const service = await start({ ...environment, ...ownTokens(name), ...options.own?.(name) });
    environment[`CES_${name.toUpperCase()}_URL`] = service.url;
    if (name === 'operations' || name === 'gateway') cleanup.use(service);
    else called.push(service);
    return service;
  };
  const ledger = await run('ledger', (env) => startLedger(readSettings(ledgerSettings, env), quietly()));
  const lookup = await run('lookup', (env) => startLookup(readSettings(lookupSettings, env), quietly()));
  const search = await run('search', (env) => startSearch(readSettings(searchSettings, env), quietly()));
  const acquisition =
    acquisitionDatabase &&
    (await run('acquisition', (env) => {
      const own = {
        CES_ACQUISITION_PORT: '0',
        CES_ACQUISITION_DATABASE_URL: acquisitionDatabase.url,
        ...ownEnvironment,
      };
      return startAcquisition(readSettings(acquisitionSettings, { ...env, ...own }), quietly());
    }));
  const operations = await run('operations', (env) =>
    startOperations(readSettings(operationsSettings, env), quietly()),
  );
  const gateway = await run('gateway', (env) =>
    startGateway(readSettings(gatewaySettings, env), quietly(), { checkAnswers: true }),
  );
  const admin = { callerToken: tokenOf('admin'), reason: 'a test', timeoutMs: 30_000 };
  const searchAdmin = createRpcClient(SearchAdminService, { ...admin, url: search.url });
  const started = cleanup.move();
  return {
    baseUrl: gateway.url,
    databases,
    environmentOf: (service) => ({ ...environment, ...ownTokens(service) }),
    ledger: createRpcClient(LedgerService, { ...admin, callerToken: tokenOf('operations'), url: ledger.url }),
    ledgerAdmin: createRpcClient(LedgerAdminService, { ...admin, url: ledger.url }),
    record: createRpcClient(RecordService, { ...admin, url: lookup.url }),
    searchAdmin,
    operationsAdmin: createRpcClient(OperationsAdminService, { ...admin, url: operations.url }),
    acquisitionAdmin: createRpcClient(AcquisitionAdminService, {
      ...admin,
      url: acquisition?.url ?? 'http://acquisition.invalid',
    }),
    acquisitionDatabase,
    untilIndexed: async (tx = 0n) => {
      const caughtUp = async () => {
        const { lag, position } = await searchAdmin.getIndexStatus({});
        expect({ lag, passed: (position?.tx ?? 0n) >= tx }).toEqual({ lag: 0n, passed: true });
      };
      await vi.waitFor(caughtUp, { timeout: 60_000, interval: 20 });
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

async function createDatabases(): Promise<TestStack['databases']> {
  const [ledger, operations, search, lookup] = await Promise.all([
    createTestDatabase('ledger'),
    createTestDatabase('operations'),
    createTestDatabase('search'),
    createTestDatabase('lookup'),
  ]);
  return { ledger, operations, search, lookup };
}

async function disposeOf(all: readonly AsyncDisposable[]): Promise<void> {
  await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
}

export function startGatewayBefore(stack: TestStack, operationsUrl: string): Promise<RunningService> {
  const env = { ...stack.environmentOf('gateway'), CES_OPERATIONS_URL: operationsUrl };
  return startGateway(readSettings(gatewaySettings, env), quietly(), { checkAnswers: true });
}

type Caller = (typeof CALLERS)[number] | 'ledger';

function testEnvironment(databases: TestStack['databases'], extra: Environment): Record<string, string> {
  const known = callerSettings(Object.fromEntries(CALLERS.map((name) => [name, tokenOf(name)])));
  const environment: Record<string, string> = {
    CES_HOST: '127.0.0.1',
    CES_PORT: '0',
    CES_RPC_INTROSPECTION: 'true',
    NATS_URL: inject('natsUrl'),
    CES_NATS_PREFIX: `t${randomBytes(4).toString('hex')}`,
    CES_SEARCH_EMBEDDER: 'none',
    ...known,
    CES_LEDGER_PEPPERS: `test=${'5a'.repeat(32)}`,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    CES_OPERATIONS_CURSOR_KEYS: `test=${'a5'.repeat(32)}`,
  };
  for (const [name, database] of Object.entries(databases)) {
    environment[`CES_${name.toUpperCase()}_PORT`] = '0';
    environment[`CES_${name.toUpperCase()}_DATABASE_URL`] = database.url;
  }
  const operators = [known.CES_RPC_OPERATORS, extra.CES_RPC_OPERATORS].filter(Boolean).join(',');
  return Object.assign(environment, extra, { CES_RPC_OPERATORS: operators });
}

function ownTokens(name: Caller): Environment {
  return { CES_RPC_TOKENS: SERVICES.map((callee) => `${callee}=${tokenOf(name)}`).join(',') };
}

export function tokenOf(name: Caller): string {
  return `token-of-${name}`;
}
