import { violatedConstraint } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  insertHistory,
  letTimePass,
  type Subscriber,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import { prunePostings } from '../db/retention.ts';
import { updateSubscription } from '../db/subscription.ts';
import { findDifferences } from '../db/verification/subscription.ts';
import { createPostings, type Postings } from '../posting/postings.ts';
import { prune } from './pruner.ts';

const KEPT_DAYS = 400;
const DAY_SECONDS = 86_400;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function countOf({ subscriptionId }: Subscriber): Promise<{ holds: bigint; entries: bigint } | undefined> {
  const { rows } = await ledger.owner.query<{ holds: bigint; entries: bigint }>(
    `select (select count(*) from hold where subscription_id = $1) as holds,
            (select count(*) from entry where subscription_id = $1) as entries`,
    [subscriptionId],
  );
  return rows[0];
}

const letDaysPass = (subscriber: Subscriber, days: number) =>
  letTimePass(ledger.owner, subscriber.subscriptionId, days * DAY_SECONDS);

test('postings are deleted after 400 days, open holds are not, and the ledger verifies', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 2n });
  const held = admission('reserve', subscriber);
  await postings.admit(held);
  await postings.admit(admission('charge', subscriber, 3));
  const refused = await postings.admit(admission('charge', subscriber));
  expect(refused.hold.state).toBe('refused');
  await letDaysPass(subscriber, 200);
  await postings.admit(admission('charge', subscriber, 3));
  await letDaysPass(subscriber, 201);
  expect(await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never)).toBe(2);
  expect(await countOf(subscriber)).toEqual({ holds: 2n, entries: 1n });
  expect(await findDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
  expect((await postings.release(held)).hold.state).toBe('void');
});

test('old entries of a quiet subscription leave its counters before they are deleted', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  await postings.admit(admission('charge', subscriber, 3));
  await letDaysPass(subscriber, 500);
  expect(await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never)).toBeGreaterThan(0);
  expect(await countOf(subscriber)).toEqual({ holds: 0n, entries: 0n });
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

test('rows beyond the limit of a statement are pruned in several', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  await ledger.owner.query(
    `insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units, created_at)
     select 1000000 + n, gen_random_uuid(), $1, 'void', 1, 1, clock_timestamp() - interval '500 days' from generate_series(1, 1200) n`,
    [subscriber.subscriptionId],
  );
  expect(await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never)).toBe(1_200);
});

test('a subscription that cannot be pruned delays the pruning of no other', async () => {
  const [stuck, other] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  await insertHistory(ledger.owner, stuck, 700, 500 * DAY_SECONDS);
  await ledger.owner.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''stuck''; end'`,
  );
  await ledger.owner.query(
    `create trigger stuck before update on subscription for each row when (old.id = ${stuck.subscriptionId}) execute function refuse()`,
  );
  await postings.admit(admission('charge', other, 3));
  await letDaysPass(other, 450);
  await prune({ pool: ledger.pool, logger }, KEPT_DAYS, never);
  expect(await countOf(other)).toEqual({ holds: 0n, entries: 0n });
  expect(await countOf(stuck)).toEqual({ holds: 700n, entries: 700n });
});

test('the service can prune nothing that is younger than a leap year, and delete nothing by itself', async () => {
  const young = prunePostings(ledger.pool, 366, 1).catch((error) => error);
  expect(await young).toMatchObject({ code: '23514', message: 'postings are kept for 367 days at least' });
  expect(violatedConstraint(await young)).toBe(undefined);
  for (const table of ['entry', 'hold'])
    await expect(ledger.pool.query(`delete from ${table}`)).rejects.toThrow('permission denied');
});
