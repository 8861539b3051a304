import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
  units,
  withoutPayer,
} from '../../test-support/test-ledger.ts';
import type { NamedOperation } from '../allowance/mismatch.ts';
import type { Admission } from '../allowance/posting.ts';
import { findCounterDifferences } from '../db/verification/counters.ts';
import { createPostings, type Postings } from './postings.ts';
import { reverse } from './reverse.ts';

// R31: two operations get the same number. The identity decides, and existing rows do not change.

let ledger: TestLedger;
let postings: Postings;
let own: Subscriber;
let other: Subscriber;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
  [own, other] = [await createSubscriber(ledger.pool, AMPLE), await createSubscriber(ledger.pool, AMPLE)];
});
afterAll(() => ledger[Symbol.asyncDispose]());

const AMPLE = { windowRequestUnits: 1_000n, windowDeliveredUnits: 1_000n };

async function allOf(): Promise<unknown> {
  const [holds, entries, counters] = await Promise.all([
    ledger.owner.query('select * from hold order by operation_id'),
    ledger.owner.query('select * from entry order by operation_id'),
    ledger.owner.query('select * from subscription order by id'),
  ]);
  return [holds.rows, entries.rows, counters.rows];
}

const BEFORE: Readonly<Record<string, (call: Admission) => Promise<unknown>>> = {
  held: (call) => postings.admit(call),
  posted: async (call) => {
    await postings.admit(call);
    await postings.settle(call, units(1, 2));
  },
  charged: (call) => postings.admit({ ...call, kind: 'charge' }),
  void: async (call) => {
    await postings.admit(call);
    await postings.release(call);
  },
  refused: (call) => postings.admit({ ...call, units: units(1, 5_000) }),
  'released before it was admitted': (call) => postings.release(call),
  'of a subscription that there is not': (call) => postings.admit({ ...call, subscriptionId: 999_999n }),
};

const CALLS: Readonly<Record<string, (operation: NamedOperation, call: Admission) => Promise<unknown>>> = {
  reserve: (operation, call) => postings.admit({ ...call, ...operation, kind: 'reserve' }),
  charge: (operation, call) => postings.admit({ ...call, ...operation, kind: 'charge' }),
  settle: (operation) => postings.settle(operation, units(1, 2)),
  release: (operation) => postings.release(operation),
  reversal: (operation) => reverse(ledger.pool, postings, operation, { caller: 'operations', reason: 'lost' }),
};

const CASES = Object.keys(BEFORE).flatMap((before) => Object.keys(CALLS).map((call) => [call, before] as const));

test.each(CASES)(
  'a %s of another operation under the number of one that is %s changes nothing',
  async (name, before) => {
    const call = admission('reserve', own, 5);
    await BEFORE[before]?.(call);
    const found = await allOf();
    for (const subscriber of [own, other]) {
      const another = { ...call, ...subscriber, identity: randomUUID() };
      await expect(CALLS[name]?.(another, another)).rejects.toMatchObject({
        name: 'PostingMismatch',
        field: 'identity',
      });
    }
    expect(await allOf()).toEqual(found);
  },
);

test.each(Object.keys(CALLS))('a %s of another account or subscription changes nothing', async (name) => {
  const call = admission('reserve', own, 5);
  await postings.admit(call);
  const found = await allOf();
  const [account, subscription] = [
    { ...call, accountId: other.accountId },
    { ...call, subscriptionId: other.subscriptionId },
  ];
  await expect(CALLS[name]?.(account, account)).rejects.toMatchObject({ field: 'account' });
  await expect(CALLS[name]?.(subscription, subscription)).rejects.toMatchObject({ field: 'subscription' });
  expect(await allOf()).toEqual(found);
});

test('a settled or charged operation is not settled, charged or reserved again with other units', async () => {
  const [settled, charged] = [admission('reserve', own, 5), admission('charge', own, 5)];
  await postings.admit(settled);
  await expect(postings.admit({ ...settled, units: units(1, 6) })).rejects.toMatchObject({ field: 'units' });
  await postings.settle(settled, units(1, 3, 1));
  await postings.admit(charged);
  const found = await allOf();
  for (const other of [units(1, 2, 1), units(1, 3), units(0, 3, 1)])
    await expect(postings.settle(settled, other)).rejects.toMatchObject({ field: 'units' });
  for (const other of [units(1, 2), units(1, 6)]) {
    await expect(postings.admit({ ...settled, units: other })).rejects.toMatchObject({ field: 'units' });
    await expect(postings.admit({ ...charged, units: other })).rejects.toMatchObject({ field: 'units' });
  }
  expect(await allOf()).toEqual(found);
});

test('a retry is answered with what the first call left, as is a delivered operation that is reserved again', async () => {
  const call = admission('reserve', own, 5);
  await postings.admit(call);
  expect((await postings.admit({ ...call, units: units(1, 3) })).hold.state).toBe('held');
  await postings.settle(call, units(1, 3, 2));
  for (const asked of [units(1, 5), units(1, 3)])
    expect((await postings.admit({ ...call, units: asked })).hold.state).toBe('posted');
  expect((await postings.settle(call, units(1, 3, 2))).hold.state).toBe('posted');
  expect((await postings.release(call)).hold.state).toBe('posted');
});

/**
 * Deletes the operation's rows without this process noticing. Another process then gives the number
 * to another subscriber.
 */
async function giveAgain(operationId: bigint): Promise<Admission> {
  await ledger.owner.query('delete from entry where operation_id = $1', [operationId]);
  await ledger.owner.query('delete from hold where operation_id = $1', [operationId]);
  const again = { ...admission('reserve', other, 5), operationId };
  expect((await createPostings(ledger.pool).admit(again)).hold.state).toBe('held');
  return again;
}

test('cached state of a reused number says nothing about the operation that has it now', async () => {
  const refuse = () => postings.admit({ ...admission('reserve', own), units: units(1, 5_000) });
  const charge = () => postings.admit(admission('charge', own, 5));
  for (const before of [refuse, charge]) {
    const again = await giveAgain((await before()).hold.operationId);
    const settled = await postings.settle(again, units(1, 5));
    expect(settled.hold).toMatchObject({ state: 'posted', subscriptionId: other.subscriptionId });
  }
  const again = await giveAgain((await refuse()).hold.operationId);
  const settled = await postings.settle(withoutPayer(again.operationId, again.identity), units(1, 5));
  expect(settled.hold).toMatchObject({ state: 'posted', subscriptionId: other.subscriptionId });
  const found = await giveAgain((await charge()).hold.operationId);
  await expect(postings.settle(withoutPayer(found.operationId, found.identity), units(1, 5))).rejects.toMatchObject({
    field: 'subscription',
  });
  expect(await findCounterDifferences(ledger.pool, other.subscriptionId)).toEqual([]);
});
