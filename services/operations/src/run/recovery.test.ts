import { FailureCode, fail } from '@ces/chassis/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, expect, test } from 'vitest';
import { codeOf, companyIds, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

const caller = callerOfAccount(1n);
const request = { requestKey: 'k', input: { query: 'a' } };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

test('an operation whose ledger reply was lost goes on by itself, and the retry finds it', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(2);
  let lose = true;
  stack.ledger.after = (method) => {
    if (lose && method === 'reserve') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.pointOf('k')).toBe('created');
  lose = false;
  await expect.poll(() => stack.pointOf('k'), { timeout: 10_000 }).toBe('delivered');
  expect(await stack.submit(request)).toMatchObject({ replayed: true, usage: { units: { deliveredUnits: 2n } } });
  expect([stack.ledger.count(HoldState.POSTED), stack.ledger.movements.size]).toEqual([1, 1]);
});

test('a retry that finds an operation nobody has asked the ledger for asks it', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = () => {
    if (away) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  expect(await codeOf(stack.submit({ ...request, input: { query: 'other' } }))).toBe(FailureCode.IDEMPOTENCY_CONFLICT);
  expect(await stack.submit(request)).toMatchObject({ replayed: true, usage: { status: Status.DELIVERED } });
});

test('an operation that the ledger refuses when it is asked again leaves the key to other inputs', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(2);
  let away = true;
  stack.ledger.before = () => {
    if (away) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  stack.ledger.deliveredLimit = 5n;
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await stack.pointOf('k')).toBeUndefined();
  const smaller = await stack.submit({ ...request, input: { query: 'a', limit: 5 } });
  expect(smaller).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
});

test('a stored result is never shown before it is settled, and is settled by whoever finds it', async () => {
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
  expect(await stack.pointOf('k')).toBe('stored');
  away = false;
  await expect.poll(() => stack.pointOf('k'), { timeout: 10_000 }).toBe('delivered');
  expect(companyIds(outcomeOf(await stack.submit(request), 'companySearch'))).toEqual([1, 2]);
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('a charge whose reply was lost is charged once, and refused ones are never shown', async () => {
  stack = await Stack.forTest({ ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' });
  stack.record.addCompanies(3);
  const lookUp = (requestKey: string, ids: bigint[]) =>
    stack.client().submitCompanyLookup({ caller, requestKey, input: { ids } });
  let lose = true;
  stack.ledger.after = (method) => {
    if (lose && method === 'charge') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  expect(await codeOf(lookUp('charged', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.pointOf('charged')).toBe('stored');
  stack.ledger.deliveredLimit = 2n;
  expect(await codeOf(lookUp('refused', [1n, 2n, 3n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  const { rows } = await stack.db.query<{ id: bigint }>(`select id from operation where request_key = 'refused'`);
  lose = false;
  expect(answerOf(await lookUp('charged', [2n, 1n]))).toMatchObject({ replayed: true });
  expect(await codeOf(stack.client().getOperation({ caller, operationId: rows[0]?.id ?? 0n }))).toBe(
    FailureCode.USAGE_NOT_FOUND,
  );
  expect(await stack.pointOf('refused')).toBeUndefined();
  expect(stack.ledger.count(HoldState.POSTED)).toBe(1);
});

test('the sweeper charges what was stored and lets go of what is refused', async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(3);
  const lookUp = (requestKey: string, ids: bigint[]) =>
    stack.client().submitCompanyLookup({ caller, requestKey, input: { ids } });
  let away = true;
  stack.ledger.before = (method) => {
    if (away && method === 'charge') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  stack.ledger.deliveredLimit = 2n;
  expect(await codeOf(lookUp('fits', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await codeOf(lookUp('too much', [1n, 2n, 3n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  away = false;
  await expect.poll(() => stack.pointOf('fits'), { timeout: 10_000 }).toBe('delivered');
  await expect.poll(() => stack.pointOf('too much'), { timeout: 10_000 }).toBeUndefined();
});
