import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { type RpcServer, startRpcServer } from '@ces/chassis/rpc/server';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger, type Logger } from '@ces/chassis/telemetry/log';
import { acceptTokens, callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { CallLimitService } from '@ces/proto/ces/ledger/v1/call_limit_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import type { CompanySearchInputSchema, OperationAnswer, Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { createTestDatabase, showDatabaseOnFailure, type TestDatabase } from '@ces/test/support/database.ts';
import type { Client, ConnectRouter } from '@connectrpc/connect';
import { expect, inject } from 'vitest';
import { settings } from '../src/config.ts';
import { start } from '../src/start.ts';
import { FakeAcquisition } from './fake-acquisition.ts';
import { FakeLedger, principalOf } from './fake-ledger.ts';
import { FakeRecord } from './fake-record.ts';
import { FakeSearch } from './fake-search.ts';
import { signed } from './signed-principal.ts';

/** Operations with a real database and broker, and in-memory peers that can be made to fail. */
export class Stack implements AsyncDisposable {
  readonly ledger = new FakeLedger();
  readonly record = new FakeRecord();
  readonly search = new FakeSearch(this.record);
  readonly acquisition = new FakeAcquisition();
  readonly #cleanup = new AsyncDisposableStack();
  readonly #services = new Set<RunningService>();
  readonly #env: Record<string, string> = {};

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
    const stack = new Stack();
    const database = stack.#cleanup.use(await createTestDatabase('operations'));
    stack.#database = database;
    stack.#pool = createPool({ connectionString: database.ownerUrl, max: 4, applicationName: 'test', logger });
    stack.#cleanup.defer(() => stack.#pool?.end());
    const { ledger, record, search, acquisition } = stack;
    for (const [name, fake] of Object.entries({
      LEDGER: ledger,
      LOOKUP: record,
      SEARCH: search,
      ACQUISITION: acquisition,
    }))
      stack.#env[`CES_${name}_URL`] = stack.#cleanup.use(await startFake(fake.register)).url;
    Object.assign(stack.#env, {
      CES_OPERATIONS_PORT: '0',
      CES_OPERATIONS_DATABASE_URL: database.url,
      CES_OPERATIONS_CURSOR_KEYS: `test=${'c4'.repeat(32)}`,
      ...callerSettings({ gateway: 'gateway-token', admin: 'admin-token', search: 'search-token' }),
      CES_RPC_TOKENS: PEER_NAMES.map((name) => `${name}=operations-token`).join(','),
      NATS_URL: inject('natsUrl'),
      CES_NATS_PREFIX: `o${randomBytes(4).toString('hex')}`,
      ...env,
    });
    stack.first = await stack.startService();
    return stack;
  }

  static async forTest(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
    const stack = await Stack.start(env);
    stack.showDatabaseOnFailure();
    return stack;
  }

  #database: TestDatabase | undefined;
  #pool: Pool | undefined;
  first: RunningService | undefined;

  /** A database connection of the schema's owner, for changes that the service does not make. */
  get db(): Pool {
    if (!this.#pool) throw new Error('not started');
    return this.#pool;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  async startService(env: Readonly<Record<string, string>> = {}): Promise<RunningService> {
    const service = await start(readSettings(settings, { ...this.#env, ...env }), logger);
    this.#services.add(service);
    return service;
  }

  async stopService(service: RunningService): Promise<void> {
    if (this.#services.delete(service)) await service[Symbol.asyncDispose]();
  }

  client(
    service: Address | undefined = this.first,
    callerToken: string | undefined = 'gateway-token',
  ): Client<typeof OperationsService> {
    return createRpcClient(OperationsService, { url: service?.url ?? '', callerToken, timeoutMs: 40_000 });
  }

  get admin(): Client<typeof OperationsAdminService> {
    return this.adminAs('admin-token');
  }

  get restores(): Client<typeof RestoreService> {
    return createRpcClient(RestoreService, {
      url: this.first?.url ?? '',
      callerToken: 'admin-token',
      reason: 'a test',
      timeoutMs: 40_000,
    });
  }

  adminAs(callerToken: string): Client<typeof OperationsAdminService> {
    const url = this.first?.url ?? '';
    return createRpcClient(OperationsAdminService, { url, callerToken, reason: 'a test', timeoutMs: 40_000 });
  }

  async submit(call: SearchCall, service: Address | undefined = this.first): Promise<Answer> {
    return answerOf(await this.client(service).submitCompanySearch({ caller: callerOfAccount(), ...call }));
  }

  async poll(operationId: bigint): Promise<Answer> {
    return answerOf(await this.client().getOperation({ caller: callerOfAccount(), operationId }));
  }

  async untilStatus(operationId: bigint, status: Status, timeout = 10_000): Promise<Answer> {
    const statusNow = async () => (await this.poll(operationId)).usage.status;
    await expect.poll(statusNow, { timeout, interval: 20 }).toBe(status);
    return await this.poll(operationId);
  }

  async stateOf(requestKey: string): Promise<string | undefined> {
    const sql = 'select state from operation where request_key = $1';
    return (await this.db.query<{ state: string }>(sql, [requestKey])).rows[0]?.state;
  }

  async countOperations(): Promise<number> {
    return (await this.db.query('select from operation')).rowCount ?? 0;
  }

  showDatabaseOnFailure(): void {
    if (this.#database) showDatabaseOnFailure(this.#database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#services].map((service) => this.stopService(service)));
    await this.#cleanup.disposeAsync();
  }
}

const PEER_NAMES = ['ledger', 'lookup', 'search', 'acquisition'];
const PEERS = [CallLimitService, LedgerService, LedgerAdminService, LookupService, SearchService, AcquisitionService];

export const logger: Logger = createLogger('test', process.env.CES_TEST_LOG ?? 'silent');

export function callerOfAccount(accountId = 1n, changes: Partial<ReturnType<typeof principalOf>> = {}) {
  return { identity: { case: 'principal', value: signed({ ...principalOf(accountId), ...changes }) } } as const;
}

type Address = Pick<RunningService, 'url'>;

export type Answer = OperationAnswer & { readonly usage: NonNullable<OperationAnswer['usage']> };

export interface SearchCall {
  readonly caller?: ReturnType<typeof callerOfAccount>;
  readonly requestKey: string;
  readonly input: MessageInitShape<typeof CompanySearchInputSchema>;
  readonly background?: boolean;
  readonly waitMs?: number;
}

export const QUICK = {
  CES_LEAD_LEASE_MS: '600',
  CES_LEAD_RENEWAL_MS: '200',
  CES_OPERATIONS_LEASE_MS: '1000',
  CES_OPERATIONS_HEARTBEAT_MS: '50',
  CES_OPERATIONS_SWEEP_INTERVAL_MS: '50',
  CES_OPERATIONS_POLL_INTERVAL_MS: '50',
  CES_OPERATIONS_OUTBOX_POLL_MS: '50',
};

export function answerOf({ answer }: { answer?: OperationAnswer | undefined }): Answer {
  if (!answer?.usage) throw new Error('a response without an answer');
  return answer as Answer;
}

async function startFake(routes: (router: ConnectRouter) => void): Promise<RpcServer> {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes,
    callers: Object.fromEntries(PEERS.map((peer) => [peer.typeName, { '*': ['operations'] }])),
    callerTokens: acceptTokens({ operations: 'operations-token' }),
    logger,
  });
}
