import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gate } from '../../test-support/expect.ts';
import { type ReplyLosingProxy, startReplyLosingProxy } from '../../test-support/reply-losing-proxy.ts';
import { callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

// A reply may be lost after the commit, so that the caller does not know whether its call was
// accepted. Answer and charge must still agree (decision 0005).

const HAND_OVER = 'handed_over as';
const CLAIM = 'claimed as';
const MARK_HELD = `set state = 'held' where id = $1 and state = 'created'`;
/** A lease that a busy machine can still extend in time. */
const KEPT_UP = { ...QUICK, CES_OPERATIONS_LEASE_MS: '2000', CES_OPERATIONS_HEARTBEAT_MS: '100' };

const request = { requestKey: 'k', input: { query: 'a' } };

let stack: Stack;
let proxy: ReplyLosingProxy;
/** The accepting process; without workers it runs only what it accepted itself. */
let acceptor: Awaited<ReturnType<Stack['startService']>>;

beforeEach(async () => {
  stack = await Stack.forTest(KEPT_UP);
  stack.record.addCompanies(3);
  proxy = await startReplyLosingProxy(stack.env.CES_OPERATIONS_DATABASE_URL ?? '');
  acceptor = await stack.startService({ CES_OPERATIONS_DATABASE_URL: proxy.url, CES_OPERATIONS_WORKERS: '0' });
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

function holds() {
  return [HoldState.HELD, HoldState.POSTED, HoldState.VOID].map((state) => stack.ledger.count(state));
}

test('a background search whose acceptance was written and not answered is accepted', async () => {
  const { passed, open } = gate();
  stack.search.before = () => passed;
  proxy.loseReplyTo(HAND_OVER);
  const told = await stack.submit({ ...request, background: true }, acceptor);
  open();
  expect(proxy.lost).toBe(1);
  expect(told).toMatchObject({ replayed: false, outcome: { case: 'pending' } });
  expect((await stack.untilStatus(told.usage.id, Status.DELIVERED)).usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(holds()).toEqual([0, 1, 0]);
});

test('a search that takes longer, and whose claim was written and not answered, goes on and is answered', async () => {
  const { passed, open } = gate();
  stack.search.before = () => passed;
  proxy.loseReplyTo(CLAIM);
  const call = stack.submit(request, acceptor);
  await expect.poll(() => proxy.lost).toBe(1);
  open();
  expect((await call).usage).toMatchObject({ status: Status.DELIVERED, units: { deliveredUnits: 3n } });
  expect(stack.search.calls).toEqual(['planAndSearch']);
  expect(holds()).toEqual([0, 1, 0]);
});

test('one whose caller has stopped waiting is reported as continuing in the background', async () => {
  const { passed, open } = gate();
  stack.search.before = () => passed;
  proxy.loseReplyTo(CLAIM);
  const told = await stack.submit({ ...request, waitMs: 10 }, acceptor);
  expect(proxy.lost).toBe(1);
  expect(told).toMatchObject({ outcome: { case: 'pending' }, usage: { status: Status.PROCESSING } });
  open();
  expect((await stack.untilStatus(told.usage.id, Status.DELIVERED)).usage.units).toMatchObject({ deliveredUnits: 3n });
  expect(holds()).toEqual([0, 1, 0]);
});

test('where no answer comes after all attempts, the operation is read and reported in its present state', async () => {
  proxy.loseReplyTo(HAND_OVER, 5);
  const told = await stack.submit({ ...request, background: true }, acceptor);
  expect(proxy.lost).toBe(5);
  expect(told).toMatchObject({ replayed: false });
  await stack.untilStatus(told.usage.id, Status.DELIVERED);
  expect(holds()).toEqual([0, 1, 0]);
});

test('an identical call that is the first to see the operation gets the same report', async () => {
  const { passed, open } = gate();
  stack.search.before = () => passed;
  const first = stack.submit(request);
  await expect.poll(() => stack.ledger.count(HoldState.HELD)).toBe(1);
  proxy.loseReplyTo(MARK_HELD);
  const told = await stack.submit({ ...request, waitMs: 1 }, acceptor);
  expect(proxy.lost).toBe(1);
  expect(told).toMatchObject({ replayed: true, outcome: { case: 'pending' } });
  open();
  expect((await first).usage.id).toBe(told.usage.id);
  expect(holds()).toEqual([0, 1, 0]);
});

test('an accepted search is pending for its waiting callers while the ledger cannot settle it', async () => {
  stack.ledger.before = (method) => {
    if (method === 'settle') throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  };
  const client = stack.client();
  const call = { caller: callerOfAccount(), ...request };
  const { answer, waiting } = await client.submitCompanySearch({ ...call, untilWaiting: true });
  expect([answer?.outcome.case, waiting]).toEqual(['pending', true]);
  const operationId = answer?.usage?.id ?? 0n;
  const waited = await client.getOperation({ caller: call.caller, operationId, waitedMs: 24_000 });
  expect(waited.answer?.outcome.case).toBe('pending');
  stack.ledger.before = () => undefined;
  await stack.untilStatus(operationId, Status.DELIVERED);
  expect(holds()).toEqual([0, 1, 0]);
});
