import { FailureCode } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { Health, HealthCheckResponse_ServingStatus } from '@ces/proto/grpc/health/v1/health_pb.ts';
import { type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureIn, grpcCall } from '../support/grpc-call.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

const ADMIN = { callerToken: 'token-of-admin' };
/** More than a server takes. */
const TOO_MANY_BYTES = 33 * 1024 * 1024;

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack[Symbol.asyncDispose]());

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  return await call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: ServiceError) => error,
  );
}

/** A cheap call of each service that an administrator may make. */
const CALLS = [
  {
    name: 'ledger',
    url: () => address('LEDGER'),
    ask: (options: object) => grpcCall(address('LEDGER'), LedgerAdminService.method.listPlans, {}, options),
  },
  {
    name: 'lookup',
    url: () => address('LOOKUP'),
    ask: (options: object) => grpcCall(address('LOOKUP'), LookupService.method.listChanges, { limit: 1 }, options),
  },
  {
    name: 'search',
    url: () => address('SEARCH'),
    ask: (options: object) => grpcCall(address('SEARCH'), SearchAdminService.method.getIndexStatus, {}, options),
  },
  {
    name: 'operations',
    url: () => address('OPERATIONS'),
    ask: (options: object) =>
      grpcCall(address('OPERATIONS'), OperationsAdminService.method.listOperations, { limit: 1 }, options),
  },
] as const;

function address(service: string): string {
  return stack.environmentOf('gateway')[`CES_${service}_URL`] ?? '';
}

describe.each(CALLS)('$name over @grpc/grpc-js', ({ url, ask }) => {
  test('is healthy and answers a caller it knows', async () => {
    const { status: health } = await grpcCall(url(), Health.method.check, {});
    expect(health).toBe(HealthCheckResponse_ServingStatus.SERVING);
    expect(await ask(ADMIN)).toHaveProperty('$typeName');
  });

  test('refuses a stranger with a Failure among the details', async () => {
    const error = await refusalOf(ask({}));
    expect(error.code).toBe(status.PERMISSION_DENIED);
    expect(failureIn(error)?.code).toBe(FailureCode.CALLER_NOT_ALLOWED);
  });

  test('keeps to the deadline of the caller', async () => {
    expect((await refusalOf(ask({ ...ADMIN, deadlineMs: 0 }))).code).toBe(status.DEADLINE_EXCEEDED);
  });

  test('refuses a message that is too large', async () => {
    const error = await refusalOf(grpcCall(url(), Health.method.check, { service: 'x'.repeat(TOO_MANY_BYTES) }));
    expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

test('a service in any language submits with an ordinary credential, and is metered like everyone', async () => {
  const subscriber = await createSubscriber(stack);
  const submit = () =>
    grpcCall(address('OPERATIONS'), OperationsService.method.submitCompanyLookup, {
      caller: { identity: { case: 'bearer', value: subscriber.token } },
      requestKey: 'interop',
      input: { ids: [1n] },
    });
  const first = await submit();
  expect(first.answer).toMatchObject({ replayed: false, usage: { units: { requestUnits: 1n } } });
  expect((await submit()).answer).toMatchObject({ replayed: true, usage: { id: first.answer?.usage?.id } });
});

test('a refusal carries its code and when it would be admitted', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowRequestUnits: 1n } });
  const submit = (requestKey: string) =>
    grpcCall(address('OPERATIONS'), OperationsService.method.submitCompanyLookup, {
      caller: { identity: { case: 'bearer', value: subscriber.token } },
      requestKey,
      input: { ids: [1n] },
    });
  await submit('first');
  const error = await refusalOf(submit('second'));
  expect(error.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(failureIn(error)).toMatchObject({ code: FailureCode.REQUEST_LIMIT_REACHED, retryAt: expect.anything() });
});
