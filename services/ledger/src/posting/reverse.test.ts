import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import type { NamedOperation } from '../allowance/mismatch.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings, type Postings } from './postings.ts';
import { reverse } from './reverse.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

const undo = (operation: NamedOperation) =>
  reverse(ledger.pool, postings, operation, { caller: 'operations', reason: 'lost in a restore' });

async function settle(subscriber: Subscriber, delivered: number): Promise<NamedOperation> {
  const call = admission('reserve', subscriber, delivered + 1);
  await postings.admit(call);
  await postings.settle(call, units(1, delivered, 1));
  return call;
}

async function settled(subscriptionId: bigint) {
  const snapshot = await readSnapshot(ledger.pool, subscriptionId);
  const { window, week, period } = snapshot?.balance.intervals ?? {};
  return [window?.settled, week?.settled, period?.settled];
}

test('a settlement is reversed by an entry of its own that says why, and counts in no interval from then on', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const kept = await settle(subscriber, 4);
  const undone = await settle(subscriber, 7);
  expect(await undo(undone)).toEqual({ state: 'void', reversed: true });
  expect(await settled(subscriber.subscriptionId)).toEqual([units(1, 4, 1), units(1, 4, 1), units(1, 4, 1)]);
  const { rows } = await ledger.pool.query(
    `select e.operation_id, e.delivered_units, r.delivered_units as reversed, r.reason
     from entry e left join reversal r using (operation_id) where e.subscription_id = $1 order by 1`,
    [subscriber.subscriptionId],
  );
  expect(rows).toEqual([
    { operation_id: kept.operationId, delivered_units: 4n, reversed: null, reason: null },
    { operation_id: undone.operationId, delivered_units: 7n, reversed: -7n, reason: 'lost in a restore' },
  ]);
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

test('reversed units may be used again, and no limit is ever exceeded while the rest leaves its interval', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowDeliveredUnits: 10n });
  const undone = await settle(subscriber, 9);
  expect((await postings.admit(admission('charge', subscriber, 5))).hold.state).toBe('refused');
  await undo(undone);
  expect((await postings.admit(admission('charge', subscriber, 5))).hold.state).toBe('posted');
  await letTimePass(ledger.owner, subscriber.subscriptionId, 18_001);
  expect((await settled(subscriber.subscriptionId))[0]).toEqual(units(0, 0));
  expect((await postings.admit(admission('charge', subscriber, 10))).hold.state).toBe('posted');
  expect((await postings.admit(admission('charge', subscriber, 1))).hold.state).toBe('refused');
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

test('the refusal after it says when enough counted units have left', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 2n });
  const undone = await settle(subscriber, 0);
  await letTimePass(ledger.owner, subscriber.subscriptionId, 1_000);
  await undo(undone);
  await settle(subscriber, 0);
  await settle(subscriber, 0);
  const { hold } = await postings.admit(admission('charge', subscriber, 0));
  expect(hold.refusal?.retryAfterSeconds).toBeGreaterThan(17_900n);
});

test('concurrent reversals of one operation write one entry, and a reversed operation blocks no units again', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const undone = await settle(subscriber, 3);
  const answers = await Promise.all(Array.from({ length: 8 }, () => undo(undone)));
  expect(new Set(answers.map(({ state, reversed }) => `${state} ${reversed}`))).toEqual(new Set(['void true']));
  expect((await postings.release(undone)).hold.state).toBe('void');
  const again = { ...admission('reserve', subscriber, 3), ...undone };
  expect((await postings.admit(again)).hold.state).toBe('void');
  await expect(postings.settle(undone, units(1, 3))).rejects.toThrow('void');
  const { rows } = await ledger.owner.query(
    `select count(*)::int as count from audit where action = 'Reverse' and subject_id = $1`,
    [String(undone.operationId)],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('a hold is released, and an unknown operation is refused from then on', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const held = admission('reserve', subscriber, 3);
  await postings.admit(held);
  expect(await undo(held)).toEqual({ state: 'void', reversed: false });
  const unseen = admission('reserve', subscriber, 3);
  expect(await undo(unseen)).toEqual({ state: 'refused', reversed: false });
  expect((await postings.admit(unseen)).hold.state).toBe('refused');
});
