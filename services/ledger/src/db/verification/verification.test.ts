import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
} from '../../../test-support/test-ledger.ts';
import { createPostings, type Postings } from '../../posting/postings.ts';
import { updateSubscription } from '../subscription.ts';
import { findCounterDifferences } from './counters.ts';
import { findOversteppedLimits } from './overstepped-limits.ts';
import { findUnmatchedPostings } from './unmatched-postings.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function createBusySubscriber(): Promise<Subscriber> {
  const subscriber = await createSubscriber(ledger.pool);
  await postings.admit(admission('reserve', subscriber, 3));
  for (const deliveredUnits of [2, 4]) await postings.admit(admission('charge', subscriber, deliveredUnits));
  return subscriber;
}

async function differencesOf({ subscriptionId }: Subscriber): Promise<readonly string[]> {
  const found = [];
  for (const find of [findCounterDifferences, findUnmatchedPostings, findOversteppedLimits])
    found.push(...(await find(ledger.pool, subscriptionId)));
  return found.map(({ description }) => description).sort();
}

test('a consistent ledger has no differences', async () => {
  expect(await differencesOf(await createBusySubscriber())).toEqual([]);
});

test('a counter that drifted is named with both numbers', async () => {
  const subscriber = await createBusySubscriber();
  await ledger.owner.query('update subscription set held_request_units = 5, week_delivered_units = 7 where id = $1', [
    subscriber.subscriptionId,
  ]);
  expect(await differencesOf(subscriber)).toEqual([
    'counter of held request units: stored 5, recomputed 1',
    'counter of week delivered units: stored 7, recomputed 6',
  ]);
});

test('holds and entries that do not belong together are named', async () => {
  const subscriber = await createBusySubscriber();
  await ledger.owner.query("update hold set state = 'posted' where subscription_id = $1 and state = 'held'", [
    subscriber.subscriptionId,
  ]);
  expect(await differencesOf(subscriber)).toEqual([
    'counter of held delivered units: stored 3, recomputed 0',
    'counter of held request units: stored 1, recomputed 0',
    'hold is posted and has no entry',
  ]);
});

test('an entry above its hold, or of a hold that was not posted, is named', async () => {
  const subscriber = await createBusySubscriber();
  await ledger.owner.query(
    `update hold
     set delivered_units = case delivered_units when 2 then 1 else delivered_units end,
         state = case delivered_units when 4 then 'void' else state end
     where subscription_id = $1`,
    [subscriber.subscriptionId],
  );
  expect(await differencesOf(subscriber)).toEqual([
    'entry of 1/2 request/delivered units, hold of 1/1',
    'hold is void and has an entry',
  ]);
});

test('an instant above a limit is named, unless older and larger numbers let it through', async () => {
  const subscriber = await createBusySubscriber();
  const { subscriptionId } = subscriber;
  const lower = { plan: undefined, status: undefined, ownLimits: { windowDeliveredUnits: 5n }, replaceLimits: false };
  await updateSubscription(ledger.pool, subscriptionId, lower);
  expect(await differencesOf(subscriber)).toEqual([]);
  await ledger.owner.query("update subscription set limits_changed_at = '2026-01-01' where id = $1", [subscriptionId]);
  expect(await differencesOf(subscriber)).toEqual([
    expect.stringMatching(/^window delivered units: 6 at .*, limit 5$/),
  ]);
});
