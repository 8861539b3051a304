import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf, gate, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(3);
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

async function search(requestKey: string): Promise<bigint> {
  const { id } = (await stack.submit({ requestKey, input: { query: 'a' } })).usage;
  await stack.untilStatus(id, Status.DELIVERED);
  return id;
}

async function lookUp(requestKey: string): Promise<bigint> {
  const request = { caller: callerOfAccount(), requestKey, input: { ids: [1n, 2n] } };
  const { id } = answerOf(await stack.client().submitCompanyLookup(request)).usage;
  await expect.poll(() => stack.stateOf(requestKey)).toBe('delivered');
  return id;
}

test('a ledger that was restored to an earlier moment hears of every settlement again, and of none twice', async () => {
  const known = await search('known');
  const lost = [await search('a'), await lookUp('b')];
  for (const id of lost) stack.ledger.postings.delete(id);
  const answer = await stack.admin.reconcileLedger({});
  expect(answer).toMatchObject({ checked: 3, settledAgain: lost, notAdmitted: [], released: [] });
  expect(lost.map((id) => stack.ledger.postings.get(id))).toMatchObject([
    { state: HoldState.POSTED, delivered: 3n },
    { state: HoldState.POSTED, delivered: 2n },
  ]);
  expect(stack.ledger.postings.get(known)).toMatchObject({ state: HoldState.POSTED });
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ checked: 3, settledAgain: [] });
  const { rows } = await stack.db.query('select action, detail from audit order by id');
  expect(rows).toEqual([
    { action: 'reconcile', detail: {} },
    { action: 'reconcile', detail: { settled_again: lost.map(String) } },
    { action: 'reconcile', detail: {} },
  ]);
});

test('a settlement that the ledger does not admit any more is named, and nothing is held for it', async () => {
  const id = await search('a');
  stack.ledger.postings.delete(id);
  stack.ledger.deliveredLimit = 0n;
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ settledAgain: [], notAdmitted: [id] });
  expect(stack.ledger.count(HoldState.HELD)).toBe(0);
});

test('units of lost operations are released', async () => {
  stack.ledger.postings.set(999_999n, { state: HoldState.HELD, request: 1n, delivered: 5n });
  const known = await search('known');
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ released: [999_999n], settledAgain: [] });
  expect(stack.ledger.postings.get(999_999n)).toMatchObject({ state: HoldState.VOID });
  expect(stack.ledger.postings.get(known)).toMatchObject({ state: HoldState.POSTED });
});

test('work under way gets its hold again and is delivered, or fails where it cannot have one', async () => {
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const start = async (requestKey: string) =>
    (await stack.submit({ requestKey, input: { query: 'a' }, background: true })).usage.id;
  const [paid, unpaid] = [await start('paid'), await start('unpaid')];
  await expect.poll(() => stack.stateOf('unpaid')).toBe('running');
  for (const id of [paid, unpaid]) stack.ledger.postings.delete(id);
  stack.ledger.postings.set(unpaid, { state: HoldState.VOID, request: 1n, delivered: 5n });
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ notAdmitted: [unpaid] });
  stalled.open();
  await stack.untilStatus(paid, Status.DELIVERED);
  expect(outcomeOf(await stack.untilStatus(unpaid, Status.FAILED), 'failed').code).toBe(FailureCode.SEARCH_FAILED);
});

test('only administrators reconcile operations, page by page', async () => {
  const ids = [await search('a'), await search('b'), await search('c')];
  const first = await stack.admin.reconcileLedger({ limit: 2 });
  expect(first).toMatchObject({ checked: 2, lastOperationId: ids[1] });
  expect(await stack.admin.reconcileLedger({ limit: 2, afterOperationId: first.lastOperationId })).toMatchObject({
    checked: 1,
    lastOperationId: ids[2],
  });
  expect(await codeOf(stack.adminAs('gateway-token').reconcileLedger({}))).toBe(FailureCode.CALLER_NOT_ALLOWED);
});
