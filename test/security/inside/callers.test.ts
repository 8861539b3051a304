import { FailureCode, failureOf } from '@ces/chassis/failure';
import { createRpcClient } from '@ces/chassis/rpc-client';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../../contract/support/interface.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber } from '../../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

const CALLERS = ['gateway', 'operations', 'search', 'lookup', 'acquisition', 'admin'];
const SERVICES = [
  LedgerService,
  LedgerAdminService,
  OperationsService,
  OperationsAdminService,
  SearchService,
  SearchAdminService,
  LookupService,
  RecordService,
];

/** Who gets in, for services whose every method is open to the same callers, but for what operations compares with. */
const WHOLE_SERVICES = [
  [LedgerAdminService, ['admin']],
  [OperationsAdminService, ['admin']],
  [SearchAdminService, ['admin']],
  [SearchService, ['operations', 'admin']],
] as const;

function urlOf(typeName: string): string {
  const name = typeName.split('.')[1]?.toUpperCase();
  return stack.environmentOf('gateway')[`CES_${name}_URL`] ?? '';
}

type Methods = Readonly<Record<string, (request: object) => Promise<unknown>>>;

/** Which of the callers, one that names itself wrongly and one without a name included, a method lets in. */
async function letIn(service: (typeof SERVICES)[number], method: string): Promise<readonly string[]> {
  const callers = [
    ...CALLERS.map((name) => [name, `token-of-${name}`] as const),
    ['wrong', 'x'],
    ['anyone', undefined],
  ];
  const answers = await Promise.all(
    callers.map(async ([name, callerToken]) => {
      const client = createRpcClient(service, { url: urlOf(service.typeName), callerToken, timeoutMs: 20_000 });
      const code = await (client as unknown as Methods)[method]?.({}).then(
        () => undefined,
        (error) => failureOf(error)?.code,
      );
      return code === FailureCode.CALLER_NOT_ALLOWED ? [] : [name];
    }),
  );
  return answers.flat() as string[];
}

test.each(WHOLE_SERVICES.map(([service, callers]) => [service.typeName, service, callers] as const))(
  '%s lets in whom it must and nobody else',
  async (_name, service, callers) => {
    for (const { localName } of service.methods)
      if (localName !== 'listMovements') expect(await letIn(service, localName), localName).toEqual(callers);
  },
);

test('nothing but operations and ces can list what the ledger moved', async () => {
  expect(await letIn(LedgerAdminService, 'listMovements')).toEqual(['operations', 'admin']);
});

test('nothing but the gateway and operations can ask who a bearer is, and nothing but acquisition and ces writes the record', async () => {
  expect(await letIn(LedgerService, 'authenticate')).toEqual(['gateway', 'operations']);
  for (const name of ['reserve', 'settle', 'release', 'charge'])
    expect(await letIn(LedgerService, name), name).toEqual(['operations']);
  for (const { localName } of RecordService.methods)
    for (const caller of await letIn(RecordService, localName)) expect(['acquisition', 'admin']).toContain(caller);
});

test('no method of any service can be reached through the gateway', async () => {
  const subscriber = await createSubscriber(stack);
  for (const service of SERVICES)
    for (const { name } of service.methods) {
      const path = `/${service.typeName}/${name}`;
      expectRefusal(await subscriber.request('POST', path, { json: {} }), 404, 'not_found');
    }
});

test('the probes, metrics and RPC of a process are not on the public port', async () => {
  const subscriber = await createSubscriber(stack);
  for (const path of [
    '/livez',
    '/readyz',
    '/startupz',
    '/metrics',
    '/debug',
    '/admin',
    '/.env',
    '/api',
    '/api/accounts',
  ])
    expectRefusal(await subscriber.request('GET', path), 404, 'not_found');
});
