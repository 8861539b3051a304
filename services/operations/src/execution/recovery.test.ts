import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { codeOf, companyIds, outcomeOf } from '../../test-support/expect.ts';
import { callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

const caller = callerOfAccount(1n);
const request = { requestKey: 'k', input: { query: 'a' } };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('a stored result is never shown before it is settled, and is settled by the next call or sweep that finds it', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'settle') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const pending = await stack.submit({ ...request, waitMs: 500 });
  expect(pending).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  const poll = stack.client().getOperation({ caller, operationId: pending.usage.id });
  expect(await codeOf(poll)).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.stateOf('k')).toBe('stored');
  away = false;
  await expect.poll(() => stack.stateOf('k')).toBe('delivered');
  expect(companyIds(outcomeOf(await stack.submit(request), 'companySearch'))).toEqual([1, 2]);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});
