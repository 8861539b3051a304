import { inTransaction } from '@ces/chassis/postgres/pool';
import { expect, test } from 'vitest';
import { admission, createSubscriber, createTestLedger, units } from '../../test-support/test-ledger.ts';
import { createPostings } from '../posting/postings.ts';
import { lockSubscription, readSnapshot } from './balance-snapshot.ts';
import { readHolds } from './hold.ts';
import { NO_POSTINGS, writePostings } from './write-postings.ts';

test('ending a hold that has already ended fails the statement, and nothing of it is stored', async () => {
  await using ledger = await createTestLedger();
  const { pool } = ledger;
  const subscriber = await createSubscriber(pool);
  const postings = createPostings(pool);
  const [held, released] = [admission('reserve', subscriber, 2), admission('reserve', subscriber, 2)];
  for (const call of [held, released]) await postings.admit(call);
  await postings.release(released);
  const closing = inTransaction(pool, async (client) => {
    await lockSubscription(client, subscriber.subscriptionId);
    const snapshot = await readSnapshot(client, subscriber.subscriptionId);
    if (!snapshot) throw new Error('a subscriber has a subscription');
    await writePostings(client, snapshot, {
      ...NO_POSTINGS,
      closings: [held, released].map(({ operationId }) => ({ operationId, state: 'posted' })),
      entries: [{ operationId: held.operationId, units: units(1, 1), ordinal: 0 }],
      balance: snapshot.balance,
    });
  });
  await expect(closing).rejects.toThrow('of 2 holds only 1 were held');
  const holds = await readHolds(pool, [held.operationId, released.operationId]);
  expect([held, released].map(({ operationId }) => holds.get(operationId)?.state)).toEqual(['held', 'void']);
  expect((await pool.query('select from entry')).rows).toHaveLength(0);
});
