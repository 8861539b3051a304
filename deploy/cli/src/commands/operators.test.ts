import net, { type AddressInfo } from 'node:net';
import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService, type WithdrawEvidenceRequest } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import {
  type ListOperationsRequest,
  OperationsAdminService,
} from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, startFakeGateway } from '../../test-support/fake-gateway.ts';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

const NEWEST = { tx: 40n, seq: 400n };

let stack: FakeStack;
let gateway: FakeGateway;
let nats: net.Server;
let env: NodeJS.ProcessEnv;
let withdrawn: WithdrawEvidenceRequest | undefined;
let listed: ListOperationsRequest | undefined;
let positions: { tx: bigint; seq: bigint }[];
let databaseIsThere: boolean;
let oldHolds: { operationId: bigint }[];
let memory: Partial<
  Record<'leftOutObservations' | 'memoryBytes' | 'memoryLimitBytes', bigint> & { searchedFrom: string }
>;

beforeAll(async () => {
  stack = await startFakeStack({
    ledger: (router) => {
      router.service(LedgerAdminService, {
        listPlans: () => ({ plans: [{ name: 'builder' }] }),
        verifyLedger: () => ({ entries: 3n }),
      });
      router.service(LedgerService, { listHolds: () => ({ holds: oldHolds }) });
    },
    operations: (router) =>
      router.service(OperationsAdminService, {
        listOperations: (request) => {
          if (!databaseIsThere) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'not now');
          listed = request;
          return { operations: [{ id: 12n, status: Status.FAILED, point: 'failed', requestKey: 'k' }] };
        },
        getOperationRecord: ({ operationId }) => ({
          operation: { id: operationId, failure: { code: FailureCode.SEARCH_FAILED, message: 'It failed.' } },
          normalFormJson: '{"query":"x"}',
        }),
        requeueOperation: ({ operationId }) => ({ requeued: operationId === 12n }),
      }),
    search: (router) =>
      router.service(SearchAdminService, {
        getIndexStatus: () => {
          const position = (positions.length > 1 ? positions.shift() : positions[0]) ?? NEWEST;
          return { position, newest: NEWEST, observations: 5n, lag: NEWEST.seq - position.seq, ...memory };
        },
        rebuildIndex: () => ({ started: true }),
      }),
    acquisition: (router) => router.service(AcquisitionAdminService, { listSources: () => ({}) }),
    lookup: (router) =>
      router.service(RecordService, {
        getRecordStatus: () => ({ companies: 2n, observations: 5n, newest: NEWEST }),
        withdrawEvidence: (request) => {
          withdrawn = request;
          return { changed: true };
        },
        restoreEvidence: () => ({ changed: false }),
        getEvidence: ({ observationId }) => ({
          observationId,
          companyName: 'Northwind',
          record: { observedFact: 'It opened a plant.', contentHash: Uint8Array.of(1) },
          evidence: [{ id: 3n, evidence: { excerpt: 'It opened a plant in Guelph.', sourceUri: 'https://n.example' } }],
        }),
      }),
  });
  gateway = await startFakeGateway(() => ({ status: 200, body: { info: { version: '1.0.0' } } }));
  nats = net.createServer((socket) => socket.write('INFO {"version":"2.9.10","jetstream":true} \r\n'));
  await new Promise<void>((resolve) => nats.listen(0, '127.0.0.1', resolve));
  const natsUrl = `nats://127.0.0.1:${(nats.address() as AddressInfo).port}`;
  env = { ...stack.env, CES_GATEWAY_URL: gateway.url, NATS_URL: natsUrl };
});
afterAll(async () => {
  nats.close();
  await gateway[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});
beforeEach(() => {
  positions = [NEWEST];
  databaseIsThere = true;
  oldHolds = [];
  memory = {};
});

test('a stack where all is well gets ten good findings and exit code 0', async () => {
  const { exitCode, json } = await ces(['doctor', '--json'], env);
  const findings = json<{ part: string; state: string }[]>();
  expect(findings.map((finding) => finding.part).join(' ')).toBe(
    'gateway ledger operations search lookup acquisition nats index lag holds drift',
  );
  expect(new Set(findings.map((finding) => finding.state))).toEqual(new Set(['well']));
  expect(exitCode).toBe(0);
});

test('an unreachable database, a stalled index, old holds and a missing broker are reported with their remedy', async () => {
  databaseIsThere = false;
  positions = [{ tx: 4n, seq: 40n }];
  oldHolds = [{ operationId: 7n }];
  const { exitCode, json } = await ces(['doctor', '--json'], { ...env, NATS_URL: 'nats://127.0.0.1:9' });
  const findings = json<{ part: string; state: string; finding: string; mend: string }[]>();
  const of = (part: string) => findings.find((finding) => finding.part === part);
  expect(exitCode).toBe(1);
  expect(of('operations')).toMatchObject({
    state: 'broken',
    finding: expect.stringContaining('its database does not'),
    mend: expect.stringContaining('CES_OPERATIONS_DATABASE_URL'),
  });
  expect(of('index lag')).toMatchObject({ state: 'broken', finding: '360 changes behind, no progress' });
  expect(of('holds')).toMatchObject({ state: 'broken', finding: '1 older than 50 min: 7' });
  expect(of('nats')).toMatchObject({ state: 'broken', finding: 'nothing answers at 127.0.0.1:9' });
  expect(of('gateway')).toMatchObject({ state: 'well' });
});

test.each([
  [{ memoryBytes: 80n, memoryLimitBytes: 100n }, 'well', '5 observations indexed ('],
  [{ memoryBytes: 81n, memoryLimitBytes: 100n }, 'watch', '81 % of the memory of the index'],
  [{ leftOutObservations: 3n, searchedFrom: '2026-03-01' }, 'watch', '3 from before 2026-03-01 do not fit'],
])('of an index with %o the doctor finds it %s', async (use, state, finding) => {
  memory = use;
  const findings = (await ces(['doctor', '--json'], env)).json<{ part: string; mend?: string }[]>();
  const mend = state === 'watch' && { mend: expect.stringContaining('change to OpenSearch') };
  expect(findings.find(({ part }) => part === 'search')).toMatchObject({
    ...{ state, finding: expect.stringContaining(finding) },
    ...mend,
  });
});

test('waiting for the index ends when it has reached what the record held', async () => {
  positions = [{ tx: 39n, seq: 399n }, { tx: 40n, seq: 399n }, NEWEST];
  const { exitCode, json } = await ces(['index', 'rebuild', '--wait', '--json'], env);
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject({ position: { tx: 40, seq: 400 }, lag: 0 });
});

test('evidence is shown with its state, withdrawn with a reason and restored', async () => {
  expect((await ces(['evidence', 'show', '5'], env)).stdout).toContain('It opened a plant in Guelph.');
  expect(await ces(['evidence', 'withdraw', '5', '--evidence', '3', '--reason', 'retracted'], env)).toMatchObject({
    exitCode: 0,
    stdout: 'Evidence 3 of observation 5 is withdrawn.\n',
  });
  expect(withdrawn).toMatchObject({ observationId: 5n, evidenceId: 3n, reason: 'retracted' });
  expect(await ces(['evidence', 'withdraw', '5'], { ...env, CES_REASON: '' })).toMatchObject({ exitCode: 2 });
  expect((await ces(['evidence', 'restore', '5', '--json'], env)).json()).toEqual({
    observation_id: 5,
    changed: false,
  });
});

test('operations are listed by account and state, shown with their plan, and published again', async () => {
  const { json } = await ces(['operations', 'list', '--status', 'failed', '--account', '4', '--json'], env);
  expect(json()).toMatchObject([{ id: 12, status: 'failed', request_key: 'k' }]);
  expect(listed).toMatchObject({ accountId: 4n, status: Status.FAILED, beforeId: 0n, limit: 50 });
  const shown = await ces(['operations', 'show', '12', '--json'], env);
  expect(shown.json()).toMatchObject({
    operation: { failure: { code: 'search_failed' } },
    normal_form: { query: 'x' },
  });
  expect(await ces(['operations', 'requeue', '12'], env)).toMatchObject({ exitCode: 0 });
  expect(await ces(['operations', 'requeue', '13'], env)).toMatchObject({ exitCode: 1 });
});

test('every setting of every program is listed once, and a secret is never shown', async () => {
  const { stdout, exitCode } = await ces(['config', '--json'], { CES_RPC_TOKEN: 'hush', CES_PORT: '9' });
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('hush');
  const rows = JSON.parse(stdout) as { name: string; value?: string; programs: string[] }[];
  expect(new Set(rows.map((row) => row.name)).size).toBe(rows.length);
  expect(rows.find((row) => row.name === 'CES_PORT')).toMatchObject({ value: '9', programs: ['gateway'] });
  expect(rows.find((row) => row.name === 'CES_LOOKUP_DATABASE_URL')).toMatchObject({ secret: true });
});
