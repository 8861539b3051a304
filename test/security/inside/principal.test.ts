import { create } from '@bufbuild/protobuf';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { type Principal, PrincipalSchema, SignedStatementSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestStack, type TestStack, tokenOf } from '../../support/stack.ts';
import { createSubscriber, type Subscriber } from '../../support/subscriber.ts';

// A holder of the gateway's token acts only for callers whose credential the ledger has
// authenticated.

let stack: TestStack;
let victim: Subscriber;
let thief: Subscriber;
let operationId: bigint;

beforeAll(async () => {
  stack = await startTestStack();
  [victim, thief] = [await createSubscriber(stack), await createSubscriber(stack)];
  const { status, body } = await victim.search({ query: 'bakery' });
  expect(status).toBe(200);
  operationId = BigInt(body.usage.id);
});
afterAll(() => stack[Symbol.asyncDispose]());

function asGateway() {
  const { CES_LEDGER_URL = '', CES_OPERATIONS_URL = '' } = stack.environmentOf('gateway');
  const shown = { callerToken: tokenOf('gateway'), timeoutMs: 10_000 };
  return {
    ledger: createRpcClient(LedgerService, { ...shown, url: CES_LEDGER_URL }),
    operations: createRpcClient(OperationsService, { ...shown, url: CES_OPERATIONS_URL }),
  };
}

async function principalOf({ token }: Subscriber): Promise<Principal> {
  const { principal } = await asGateway().ledger.authenticate({ bearer: token });
  if (!principal?.signed) throw new Error('the ledger has not signed');
  return principal;
}

async function pollAs(value: Principal): Promise<'answered' | FailureCode | undefined> {
  return await asGateway()
    .operations.getOperation({ caller: { identity: { case: 'principal', value } }, operationId })
    .then(
      () => 'answered',
      (error: unknown) => failureOf(error)?.code,
    );
}

test('a principal that the ledger has not signed is refused, even with a true account', async () => {
  const { accountId, subscriptionId, credentialId } = victim;
  const named = create(PrincipalSchema, {
    ...{ accountId, subscriptionId, credentialId, subscriptionStatus: 'active', plan: 'professional', pageLimit: 50 },
  });
  expect(await pollAs(named)).toBe(FailureCode.CALLER_NOT_ALLOWED);
  expect(await pollAs(await principalOf(victim))).toBe('answered');
});

test('a signature about one account opens no other', async () => {
  const own = await principalOf(thief);
  expect(await pollAs(own)).toBe(FailureCode.USAGE_NOT_FOUND);
  expect(await pollAs(create(PrincipalSchema, { ...own, accountId: victim.accountId }))).toBe(
    FailureCode.USAGE_NOT_FOUND,
  );
  const { signed } = await principalOf(victim);
  if (!signed || !own.signed) throw new Error('the ledger has not signed');
  const forged = create(SignedStatementSchema, { ...signed, signature: own.signed.signature });
  expect(await pollAs(create(PrincipalSchema, { ...own, signed: forged }))).toBe(FailureCode.CALLER_NOT_ALLOWED);
});

test('hours between the clocks of processes change nothing', async () => {
  const principal = await principalOf(victim);
  const hours = 5 * 3_600_000;
  for (const off of [hours, -hours]) {
    const time = Date.now() + off;
    using _clock = vi.spyOn(Date, 'now').mockReturnValue(time);
    expect(await pollAs(principal)).toBe('answered');
    expect(await pollAs(await principalOf(victim))).toBe('answered');
  }
});
