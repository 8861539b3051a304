import { untilWaiting } from '@ces/test/support/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { createPostings } from './postings.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** Holds the row lock of a subscription, which every posting needs. */
async function lock({ subscriptionId }: Subscriber): Promise<AsyncDisposable> {
  const client = await ledger.owner.connect();
  await client.query('begin');
  await client.query('select 1 from subscription where id = $1 for no key update', [subscriptionId]);
  return {
    [Symbol.asyncDispose]: async () => {
      await client.query('commit');
      client.release();
    },
  };
}

test('postings that arrive while others commit share a transaction, in order, over two connections at most', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const postings = createPostings(ledger.pool);
  const calls = Array.from({ length: 30 }, () => admission('charge', subscriber));
  const charge = (call: (typeof calls)[number] | undefined) => call && postings.admit(call);
  const charged = [];
  {
    await using _ = await lock(subscriber);
    charged.push(charge(calls[0]));
    await untilWaiting(ledger.pool);
    charged.push(...calls.slice(1, 20).map(charge));
    await untilWaiting(ledger.pool, 2);
    charged.push(...calls.slice(20).map(charge));
    await untilWaiting(ledger.pool, 2);
  }
  await Promise.all(charged);
  const { rows } = await ledger.owner.query<{ operations: string[] }>(
    `select array_agg(operation_id order by settled_at, operation_id) as operations from entry
     where subscription_id = $1 group by xmin::text order by min(operation_id)`,
    [subscriber.subscriptionId],
  );
  const arrived = calls.map((call) => call.operationId);
  expect(rows.map(({ operations }) => operations.map(BigInt))).toEqual([
    arrived.slice(0, 1),
    arrived.slice(1, 20),
    arrived.slice(20),
  ]);
});

test('a subscription whose row is locked delays no other one', async () => {
  const [locked, free] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  const postings = createPostings(ledger.pool);
  let delayed: Promise<unknown>;
  {
    await using _ = await lock(locked);
    delayed = postings.admit(admission('charge', locked));
    await untilWaiting(ledger.pool);
    expect((await postings.admit(admission('charge', free))).hold.state).toBe('posted');
  }
  await delayed;
});

test('postings of one operation at one moment are not in one transaction, and take its units once', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const postings = createPostings(ledger.pool);
  const call = admission('reserve', subscriber, 5);
  const held = await Promise.all([postings.admit(call), postings.admit(call)]);
  expect(held.map(({ hold }) => hold.state)).toEqual(['held', 'held']);
  const settled = await Promise.all([postings.settle(call, units(1, 3)), postings.settle(call, units(1, 3))]);
  expect(settled.map(({ hold }) => hold.state)).toEqual(['posted', 'posted']);
  const { rowCount } = await ledger.owner.query('select 1 from entry where operation_id = $1', [call.operationId]);
  expect(rowCount).toBe(1);
});
