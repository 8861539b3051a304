import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { CRASHING_MAIN, startServiceProcess } from '@ces/test/support/service-process.ts';
import { afterEach, expect, test } from 'vitest';
import { codeOf, gate } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

const caller = callerOfAccount(1n);
const request = { requestKey: 'k', input: { query: 'a' } };
const UNSWEPT = { ...QUICK, CES_OPERATIONS_SWEEP_INTERVAL_MS: '600000' };

let stack: Stack;

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function startStack(env: Readonly<Record<string, string>>): Promise<void> {
  stack = await Stack.forTest(env);
  stack.record.addCompanies(3);
}

/**
 * Makes calls of `methods` fail before the ledger decides, or loses their replies. Returns a
 * function that ends this.
 */
function lose(when: 'before' | 'after', methods: readonly string[]): () => void {
  let losing = true;
  stack.ledger[when] = (method) => {
    if (losing && methods.includes(method)) throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  return () => {
    losing = false;
  };
}

function lookUp(requestKey: string, ids: bigint[]) {
  return stack.client().submitCompanyLookup({ caller, requestKey, input: { ids } });
}

function heldOrPosted(): number {
  return stack.ledger.count(HoldState.HELD) + stack.ledger.count(HoldState.POSTED);
}

test('a call that was rejected leaves no operation, holds nothing, and its request key is free for other inputs', async () => {
  await startStack(UNSWEPT);
  const found = lose('after', ['reserve']);
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.countOperations()).toBe(0);
  expect(heldOrPosted()).toBe(0);
  found();
  const other = await stack.submit({ ...request, input: { query: 'other' } });
  expect(other).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
  expect(heldOrPosted()).toBe(1);
});

test('while the ledger is unreachable, a rejected operation waits to be withdrawn without any retry', async () => {
  await startStack(QUICK);
  const back = lose('before', ['reserve', 'release']);
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.stateOf('k')).toBe('withdrawing');
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  back();
  await expect.poll(() => stack.countOperations()).toBe(0);
  expect(heldOrPosted()).toBe(0);
  expect(stack.search.calls).toEqual([]);
});

test('a retry of an operation that waits to be withdrawn withdraws it first and is charged once', async () => {
  await startStack(UNSWEPT);
  const back = lose('after', ['reserve', 'release']);
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.stateOf('k')).toBe('withdrawing');
  back();
  expect(await stack.submit(request)).toMatchObject({ usage: { units: { deliveredUnits: 3n } } });
  expect(await stack.countOperations()).toBe(1);
  expect(heldOrPosted()).toBe(1);
});

test('an operation accepted by a process that died before answering is withdrawn once its lease has ended', async () => {
  await startStack(QUICK);
  const never = gate();
  stack.ledger.after = (method) => (method === 'reserve' ? never.passed : undefined);
  const call = codeOf(stack.submit(request));
  await expect.poll(() => stack.ledger.count(HoldState.HELD)).toBe(1);
  await expect.poll(() => stack.countOperations()).toBe(0);
  expect(stack.ledger.count(HoldState.VOID)).toBe(1);
  stack.ledger.after = () => undefined;
  never.open();
  expect(await call).toBeUndefined();
  expect(heldOrPosted()).toBe(1);
  expect(await stack.countOperations()).toBe(1);
});

test.each(['withdraw.marked', 'withdraw.released'])(
  'a process that dies at %s leaves nothing held, and its request key free',
  async (point) => {
    /* Long enough for a slow machine: the lease must not end before the process does. */
    await startStack({ ...QUICK, CES_OPERATIONS_LEASE_MS: '5000' });
    await using doomed = await startServiceProcess('operations', { ...stack.env, CES_CRASH_AT: point }, CRASHING_MAIN);
    const found = lose('after', ['reserve']);
    expect(await codeOf(stack.submit(request, doomed))).toBe(FailureCode.SERVICE_UNAVAILABLE);
    expect(await doomed.ended).toBe('SIGKILL');
    found();
    await expect.poll(() => stack.countOperations()).toBe(0);
    expect(heldOrPosted()).toBe(0);
    expect(await stack.submit({ ...request, input: { query: 'other' } })).toMatchObject({ replayed: false });
    expect([stack.ledger.count(HoldState.POSTED), stack.ledger.count(HoldState.HELD)]).toEqual([1, 0]);
  },
);

test('an identical call that found the operation before its withdrawal keeps it, and both callers see it', async () => {
  await startStack(UNSWEPT);
  const stalled = gate();
  let replies = 0;
  stack.ledger.after = async (method) => {
    if (method !== 'reserve') return;
    replies += 1;
    if (replies > 1) return;
    await stalled.passed;
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'lost');
  };
  const first = stack.submit(request);
  await expect.poll(() => replies).toBe(1);
  const second = await stack.submit({ ...request, waitMs: 1 });
  stalled.open();
  expect((await first).usage.id).toBe(second.usage.id);
  const ended = await stack.untilStatus(second.usage.id, Status.DELIVERED);
  expect(ended.usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(stack.ledger.postings.size).toBe(1);
});

test('a charge whose reply was lost is answered as soon as the ledger says that it was charged', async () => {
  await startStack(UNSWEPT);
  const back = lose('after', ['charge']);
  const charged = answerOf(await lookUp('charged', [1n, 2n]));
  back();
  expect(charged).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
  expect(answerOf(await lookUp('charged', [2n, 1n]))).toMatchObject({
    replayed: true,
    usage: { id: charged.usage.id },
  });
  expect([stack.ledger.postings.size, stack.ledger.count(HoldState.POSTED)]).toEqual([1, 1]);
});

test('a charge without a reply is found by the retry, and is never charged twice', async () => {
  await startStack(QUICK);
  const back = lose('after', ['charge', 'release']);
  expect(await codeOf(lookUp('charged', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(await stack.stateOf('charged')).toBe('withdrawing');
  back();
  await expect.poll(() => stack.stateOf('charged')).toBe('delivered');
  expect(answerOf(await lookUp('charged', [2n, 1n]))).toMatchObject({ replayed: true });
  expect([stack.ledger.postings.size, stack.ledger.count(HoldState.POSTED)]).toEqual([1, 1]);
});

test('a charge that never reached the ledger is withdrawn, and is not made later', async () => {
  await startStack(QUICK);
  const back = lose('before', ['charge', 'release']);
  expect(await codeOf(lookUp('away', [1n, 2n]))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  const { rows } = await stack.db.query<{ id: bigint }>('select id from operation');
  back();
  await expect.poll(() => stack.countOperations()).toBe(0);
  const poll = stack.client().getOperation({ caller, operationId: rows[0]?.id ?? 0n });
  expect(await codeOf(poll)).toBe(FailureCode.USAGE_NOT_FOUND);
  expect(heldOrPosted()).toBe(0);
});

test('a charge whose charger died is withdrawn, or delivered if it was charged', async () => {
  await startStack(QUICK);
  const never = gate();
  const ids: bigint[] = [];
  const stall = (_: string, id: bigint) => {
    if (ids.length >= 2 || ids.includes(id)) return undefined;
    ids.push(id);
    return never.passed;
  };
  stack.ledger.before = (method, id) => (method === 'charge' && ids.length === 0 ? stall(method, id) : undefined);
  const before = lookUp('before', [1n]);
  await expect.poll(() => ids.length).toBe(1);
  stack.ledger.after = (method, id) => (method === 'charge' ? stall(method, id) : undefined);
  const after = lookUp('after', [2n]);
  await expect.poll(() => stack.stateOf('before')).toBeUndefined();
  await expect.poll(() => stack.stateOf('after')).toBe('delivered');
  never.open();
  expect(answerOf(await after).usage.units).toMatchObject({ deliveredUnits: 1n });
  expect(answerOf(await before)).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
  expect(stack.ledger.count(HoldState.POSTED)).toBe(2);
});

test('a refusal that arrives late leaves the request key to other inputs', async () => {
  await startStack(UNSWEPT);
  stack.ledger.deliveredLimit = 5n;
  const back = lose('after', ['reserve', 'release']);
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.SERVICE_UNAVAILABLE);
  back();
  expect(await codeOf(stack.submit(request))).toBe(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await stack.stateOf('k')).toBeUndefined();
  const smaller = await stack.submit({ ...request, input: { query: 'a', limit: 5 } });
  expect(smaller).toMatchObject({ replayed: false, usage: { status: Status.DELIVERED } });
});
