import { createLogger } from '@ces/chassis/telemetry/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createOldLedger,
  createSubscriber,
  letTimePass,
  type Subscriber,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import { findStaleSubscriptions } from '../db/retention.ts';
import { updateSubscription } from '../db/subscription.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings, type Postings } from '../posting/postings.ts';
import { dropOldPartitions } from './partitions.ts';
import { prune } from './pruner.ts';

const KEPT_DAYS = 400;
const DAY_SECONDS = 86_400;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createOldLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function countEntries({ subscriptionId }: Subscriber): Promise<number | null> {
  const { rowCount } = await ledger.owner.query('select from entry where subscription_id = $1', [subscriptionId]);
  return rowCount;
}

const letDaysPass = (subscriber: Subscriber, days: number) =>
  letTimePass(ledger.owner, subscriber.subscriptionId, days * DAY_SECONDS);

test('old entries of a quiet subscription leave its counters before they are deleted', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  await postings.admit(admission('charge', subscriber, 3));
  await letDaysPass(subscriber, 440);
  await dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  expect(await countEntries(subscriber)).toBe(1);
  await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never);
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
  await dropOldPartitions(ledger.pool, KEPT_DAYS, never);
  expect(await countEntries(subscriber)).toBe(0);
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
});

test('the longest window there is still counts everything in it after pruning', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  await postings.admit(admission('charge', subscriber, 3));
  await letDaysPass(subscriber, 365);
  await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never);
  const ownLimits = { windowSeconds: 31_622_400n, windowRequestUnits: 1n };
  const change = { plan: undefined, status: undefined, ownLimits, replaceLimits: true };
  await updateSubscription(ledger.pool, subscriber.subscriptionId, change);
  expect((await postings.admit(admission('charge', subscriber))).hold.state).toBe('refused');
});

test('a subscription that cannot be pruned delays the pruning of no other', async () => {
  const [stuck, other] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  for (const subscriber of [stuck, other]) {
    await postings.admit(admission('charge', subscriber, 3));
    await letDaysPass(subscriber, 450);
  }
  await ledger.owner.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''stuck''; end'`,
  );
  await ledger.owner.query(
    `create trigger stuck before update on subscription for each row when (old.id = ${stuck.subscriptionId}) execute function refuse()`,
  );
  await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never);
  expect(await findStaleSubscriptions(ledger.pool, KEPT_DAYS, 0n, 10)).toEqual([stuck.subscriptionId]);
});
