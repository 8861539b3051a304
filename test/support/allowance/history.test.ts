import { createPostings, type Postings } from '@ces/ledger/posting/postings';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
} from '@ces/ledger/test-support/test-ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examine } from './history.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** Settles three of five delivered units, holds one, and has a charge of three more refused. */
async function createHistory(): Promise<Subscriber & { readonly heldId: bigint }> {
  const subscriber = await createSubscriber(ledger.pool, { windowSeconds: 60n, windowDeliveredUnits: 5n });
  await postings.admit(admission('charge', subscriber, 3));
  const held = admission('reserve', subscriber, 1);
  await postings.admit(held);
  await postings.admit(admission('charge', subscriber, 3));
  return { ...subscriber, heldId: held.operationId };
}

test('a history within its limits has no findings', async () => {
  const { subscriptionId } = await createHistory();
  expect(await examine(ledger.owner, subscriptionId)).toEqual({ over: [], unjustified: [] });
});

test('an instant above a limit is found, by only settled units or with held ones', async () => {
  const settled = await createHistory();
  await ledger.owner.query('update entry set delivered_units = 6 where subscription_id = $1', [settled.subscriptionId]);
  expect((await examine(ledger.owner, settled.subscriptionId)).over).toHaveLength(3);
  const { subscriptionId } = await createHistory();
  await ledger.owner.query("update hold set delivered_units = 3 where subscription_id = $1 and state = 'held'", [
    subscriptionId,
  ]);
  expect((await examine(ledger.owner, subscriptionId)).over).toEqual([
    expect.stringMatching(/^window: 2\/6 of 60\/5 /),
    expect.stringMatching(/^window: 2\/6 of 60\/5 /),
  ]);
});

test('a refusal is not justified by units that had left before, or were released', async () => {
  const left = await createHistory();
  await ledger.owner.query("update entry set settled_at = settled_at - interval '61 s' where subscription_id = $1", [
    left.subscriptionId,
  ]);
  expect((await examine(ledger.owner, left.subscriptionId)).unjustified).toHaveLength(1);
  const { subscriptionId, heldId } = await createHistory();
  await ledger.owner.query("update hold set delivered_units = 2 where subscription_id = $1 and state = 'refused'", [
    subscriptionId,
  ]);
  await ledger.owner.query("update hold set state = 'void' where operation_id = $1", [heldId]);
  const givenBack = (instant: number) => [{ operationId: heldId, sentAt: instant, receivedAt: instant }];
  const before = await examine(ledger.owner, subscriptionId, givenBack(Date.now() - 60_000));
  expect(before.unjustified).toHaveLength(1);
  const after = await examine(ledger.owner, subscriptionId, givenBack(Date.now() + 60_000));
  expect(after.unjustified).toEqual([]);
});
