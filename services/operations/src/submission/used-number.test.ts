import { FailureCode } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Status } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gate, outcomeOf } from '../../test-support/expect.ts';
import { answerOf, callerOfAccount, QUICK, Stack } from '../../test-support/stack.ts';

// R31: the database lost its latest operations and gives numbers that the ledger knows for others.

let stack: Stack;

beforeEach(async () => {
  stack = await Stack.forTest(QUICK);
  stack.record.addCompanies(3);
});
afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

function loseOperations(count: bigint, accountId = 2n): void {
  const whose = { accountId, subscriptionId: accountId + 1000n };
  for (let id = 1n; id <= count; id += 1n)
    stack.ledger.postings.set(id, {
      ...{ state: id % 2n ? HoldState.HELD : HoldState.POSTED, request: 1n, delivered: 3n },
      ...{ identity: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`, ...whose },
    });
}

const lookUp = async (requestKey: string) =>
  answerOf(
    await stack.client().submitCompanyLookup({ caller: callerOfAccount(), requestKey, input: { ids: [1n, 2n] } }),
  );

test.each([1n, 2n])(
  'work of account 1 gets a number and an entry of its own where account %s had used it',
  async (other) => {
    loseOperations(40n, other);
    const lost = structuredClone([...stack.ledger.postings]);
    const found = await stack.submit({ requestKey: 'search', input: { query: 'a' } });
    const read = await lookUp('look-up');
    expect([found.usage.status, read.usage.status]).toEqual([Status.DELIVERED, Status.DELIVERED]);
    expect([found.usage.id, read.usage.id].every((id) => id > 40n)).toBe(true);
    expect([...stack.ledger.postings].slice(0, 40)).toEqual(lost);
    expect(stack.ledger.postings.get(found.usage.id)).toMatchObject({ state: HoldState.POSTED, accountId: 1n });
    expect(stack.ledger.mismatches).toEqual(['reserve']);
    const retry = await stack.submit({ requestKey: 'search', input: { query: 'a' } });
    expect(retry).toMatchObject({ replayed: true, usage: { id: found.usage.id } });
  },
);

test('a look-up that meets a number of another is read once more and charged once', async () => {
  loseOperations(7n);
  expect((await lookUp('look-up')).usage.id).toBe(8n);
  expect(stack.ledger.mismatches).toEqual(['charge']);
  expect(await stack.countOperations()).toBe(1);
});

test('an operation rejected before its admission releases no unit of another operation', async () => {
  loseOperations(5n);
  stack.ledger.before = (method) => {
    if (method === 'reserve') throw new Error('broken');
  };
  await expect(stack.submit({ requestKey: 'a', input: { query: 'a' } })).rejects.toThrow();
  await expect.poll(() => stack.countOperations()).toBe(0);
  expect(stack.ledger.count(HoldState.HELD)).toBe(3);
  expect(stack.ledger.mismatches).toEqual(['release']);
});

test('accepted work whose number turns out to be of another, or settled with other units, fails once and is not charged', async () => {
  const stalled = gate();
  stack.search.before = () => stalled.passed;
  const start = async (requestKey: string) =>
    (await stack.submit({ requestKey, input: { query: 'a' }, background: true })).usage.id;
  const [foreign, other] = [await start('foreign'), await start('other units')];
  await expect.poll(() => stack.stateOf('other units')).toBe('running');
  const own = stack.ledger.postings.get(other);
  loseOperations(foreign);
  stack.ledger.postings.set(other, { request: 1n, ...own, state: HoldState.POSTED, delivered: 2n });
  const before = structuredClone(stack.ledger.postings.get(foreign));
  stalled.open();
  for (const id of [foreign, other]) {
    const failed = outcomeOf(await stack.untilStatus(id, Status.FAILED), 'failed');
    expect(failed.code).toBe(FailureCode.SEARCH_FAILED);
  }
  expect(stack.ledger.postings.get(foreign)).toEqual(before);
  expect(stack.ledger.postings.get(other)).toMatchObject({ state: HoldState.VOID, reversed: expect.any(String) });
});

test('a process that starts on a database that has lost its end gives none of the lost numbers again', async () => {
  loseOperations(90n);
  await stack.startService();
  const next = async () =>
    (await stack.db.query<{ last: bigint }>('select last_value as last from operation_id_seq')).rows;
  await expect.poll(next).toEqual([{ last: 90n }]);
  expect((await stack.submit({ requestKey: 'a', input: { query: 'a' } })).usage.id).toBe(91n);
  expect(stack.ledger.mismatches).toEqual([]);
});

test('reconciling releases holds of a lost operation although its number was reused, and names the mismatch', async () => {
  const { id } = (await stack.submit({ requestKey: 'a', input: { query: 'a' } })).usage;
  await stack.untilStatus(id, Status.DELIVERED);
  await expect.poll(() => stack.stateOf('a')).toBe('delivered');
  loseOperations(id);
  stack.ledger.postings.set(id, {
    ...(stack.ledger.postings.get(id) ?? { request: 1n, delivered: 3n }),
    state: HoldState.HELD,
  });
  expect(await stack.admin.reconcileLedger({})).toMatchObject({ released: [id], mismatched: [id], settledAgain: [] });
  expect(stack.ledger.postings.get(id)).toMatchObject({ state: HoldState.VOID });
});
