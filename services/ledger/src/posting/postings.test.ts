import type { Pool } from '@ces/chassis/postgres/pool';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { readSnapshot } from '../db/balance-snapshot.ts';
import { insertCredential, revokeCredential } from '../db/credential.ts';
import { updateSubscription } from '../db/subscription.ts';
import { createPostings, type Postings } from './postings.ts';
import { PostingFault } from './result.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

function recordStatements(pool: Pool): readonly unknown[] {
  const sent: unknown[] = [];
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    client.query = ((...args: unknown[]) => {
      sent.push((args[0] as { name?: string }).name);
      return send(...args);
    }) as typeof client.query;
  });
  return sent;
}

async function countersOf(subscriptionId: bigint) {
  const current = await readSnapshot(ledger.pool, subscriptionId);
  return { held: current?.balance.held, settled: current?.balance.intervals.window.settled };
}

test('a reserved operation blocks its units until it settles for what was used', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  const held = await postings.admit(reserve);
  expect(held).toMatchObject({ hold: { state: 'held' }, allowance: { windowRemaining: 59n, weeklyRemaining: 499n } });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(1, 10), settled: units(0, 0) });
  const posted = await postings.settle(reserve, units(1, 7, 3));
  expect(posted).toMatchObject({ hold: { state: 'posted' }, allowance: { windowRemaining: 59n } });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 7, 3) });
});

test('a charge admits and settles in one step', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const { hold, allowance } = await postings.admit(admission('charge', subscriber, 4));
  expect(hold.state).toBe('posted');
  expect(allowance).toMatchObject({ windowRemaining: 59n, windowResetSeconds: 18_000n, weeklyResetSeconds: 604_800n });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 4) });
});

test('a released hold returns its units', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  await postings.admit(reserve);
  expect((await postings.release(reserve)).hold.state).toBe('void');
  expect((await postings.release(reserve)).hold.state).toBe('void');
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(0, 0) });
});

test('ten simultaneous calls of one operation take its units once', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const other = createPostings(ledger.pool);
  const reserve = admission('reserve', subscriber, 5);
  const ten = [...Array(10).keys()];
  const admitted = await Promise.all(ten.map((n) => (n % 2 ? postings : other).admit(reserve)));
  expect(admitted.map(({ hold }) => hold.state)).toEqual(ten.map(() => 'held'));
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(1, 5));
  await Promise.all(ten.map((n) => (n % 2 ? postings : other).settle(reserve, units(1, 5))));
  const charge = admission('charge', subscriber, 2);
  await Promise.all(ten.map((n) => (n % 2 ? postings : other).admit(charge)));
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(2, 7) });
});

test('the row of an operation is read only if it could not be written', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const charge = admission('charge', subscriber, 4);
  await using own = ledger.connectAgain();
  const sent = recordStatements(own.pool);
  const again = createPostings(own.pool);
  expect((await again.admit(charge)).hold.state).toBe('posted');
  expect(sent).not.toContain('read-holds');
  expect(await again.admit(charge)).toMatchObject({
    hold: { state: 'posted', units: { requestUnits: 1n, deliveredUnits: 4n } },
  });
  expect(sent.filter((name) => name === 'read-holds')).toHaveLength(1);
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 4) });
});

test('releases and settlements of one moment find their subscriptions in one statement', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const [released, settled, unknown] = [1, 2, 3].map(() => admission('reserve', subscriber, 1));
  if (!(released && settled && unknown)) throw new Error('three operations');
  for (const reserve of [released, settled]) await postings.admit(reserve);
  await using own = ledger.connectAgain();
  const sent = recordStatements(own.pool);
  const again = createPostings(own.pool);
  const results = await Promise.allSettled([
    again.release(released),
    again.settle(settled, units(1, 1)),
    again.settle(unknown, units(1, 1)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  // Their shared transaction reads the holds again, under the lock.
  expect(sent.filter((name) => name === 'read-holds')).toHaveLength(2);
});

test('a refusal, and a call that would be refused by now, are answered with the stored row', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1n });
  const [charge, refused] = [admission('charge', subscriber), admission('charge', subscriber)];
  expect((await postings.admit(charge)).hold.state).toBe('posted');
  expect((await postings.admit(refused)).hold.state).toBe('refused');
  expect((await postings.admit(charge)).hold.state).toBe('posted');
  expect((await postings.admit(refused)).hold.state).toBe('refused');
  expect((await countersOf(subscriber.subscriptionId)).settled?.requestUnits).toBe(1n);
});

test('a late reserve or charge of a settled or released operation gets its state and blocks no units', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const [settled, released] = [admission('reserve', subscriber, 1), admission('reserve', subscriber, 1)];
  for (const reserve of [settled, released]) await postings.admit(reserve);
  await postings.settle(settled, units(1, 1));
  await postings.release(released);
  expect((await postings.admit(settled)).hold.state).toBe('posted');
  expect((await postings.admit(released)).hold.state).toBe('void');
  expect((await postings.admit({ ...settled, kind: 'charge' })).hold.state).toBe('posted');
  expect((await postings.release(settled)).hold.state).toBe('posted');
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 1) });
});

test('a refusal is remembered: the same operation is refused in the same words when units are free again', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1n });
  const blocking = admission('reserve', subscriber);
  await postings.admit(blocking);
  const refused = admission('reserve', subscriber);
  const { hold } = await postings.admit(refused);
  expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'request_limit_reached' } });
  await postings.release(blocking);
  const again = await postings.admit(refused);
  expect(again.hold.refusal).toEqual(hold.refusal);
  expect(again.allowance?.windowRemaining).toBe(1n);
  expect((await postings.release(refused)).hold.state).toBe('refused');
  expect((await postings.admit(admission('reserve', subscriber))).hold.state).toBe('held');
});

test('releasing an operation that was never seen keeps a late reserve from taking units', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  expect((await postings.release(reserve)).hold.state).toBe('refused');
  expect((await postings.admit(reserve)).hold).toMatchObject({ state: 'refused', refusal: { code: 'usage_expired' } });
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(0, 0));
});

test('a reserve and a release that race leave nothing held, whichever is first', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1_000n });
  const other = createPostings(ledger.pool);
  for (let round = 0; round < 30; round += 1) {
    const reserve = admission('reserve', subscriber, 1);
    await Promise.all([postings.admit(reserve), other.release(reserve)]);
    expect((await postings.release(reserve)).hold.state).toMatch(/^(void|refused)$/);
  }
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(0, 0));
});

test.each(['settle more than is held', 'settle a void hold', 'settle what was refused', 'settle what was never seen'])(
  'a caller that would %s gets an internal error and changes nothing',
  async (what) => {
    const subscriber = await createSubscriber(ledger.pool, { windowDeliveredUnits: 10n });
    const reserve = admission('reserve', subscriber, what === 'settle what was refused' ? 11 : 5);
    if (what !== 'settle what was never seen') await postings.admit(reserve);
    if (what === 'settle a void hold') await postings.release(reserve);
    const before = await countersOf(subscriber.subscriptionId);
    await expect(postings.settle(reserve, units(1, 6))).rejects.toBeInstanceOf(PostingFault);
    expect(await countersOf(subscriber.subscriptionId)).toEqual(before);
  },
);

test('an operation belongs to the subscription that took it first', async () => {
  const [one, two] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  const reserve = admission('reserve', one, 1);
  await postings.admit(reserve);
  await expect(postings.admit({ ...reserve, ...two })).rejects.toMatchObject({ field: 'subscription' });
  await expect(postings.admit({ ...reserve, kind: 'charge' })).rejects.toBeInstanceOf(PostingFault);
});

test.each(['past_due', 'paused', 'canceled', 'unpaid', 'incomplete'])(
  'a subscription that is %s takes no units',
  async (status) => {
    const subscriber = await createSubscriber(ledger.pool, {}, status);
    const { hold } = await postings.admit(admission('reserve', subscriber));
    expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'subscription_required' } });
  },
);

test('a trialing subscription takes units, and one that lapses still settles what it holds', async () => {
  const subscriber = await createSubscriber(ledger.pool, {}, 'trialing');
  const reserve = admission('reserve', subscriber, 2);
  expect((await postings.admit(reserve)).hold.state).toBe('held');
  const lapse = { plan: undefined, status: 'canceled', ownLimits: {}, replaceLimits: false };
  await updateSubscription(ledger.pool, subscriber.subscriptionId, lapse);
  expect((await postings.admit(reserve)).hold.state).toBe('held');
  expect((await postings.settle(reserve, units(1, 2))).hold.state).toBe('posted');
});

test('the subscription of another account, or none, is a missing subscription', async () => {
  const [mine, theirs] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  for (const subscriptionId of [theirs.subscriptionId, 0n, 999_999n]) {
    const { hold } = await postings.admit({ ...admission('charge', mine), subscriptionId });
    expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'subscription_required' } });
  }
});

test('a credential that is revoked, expired, unknown or of another account takes no units', async () => {
  const [mine, theirs] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  const issue = (accountId: bigint, fill: number) =>
    insertCredential(ledger.pool, {
      ...{ accountId, testMode: false, label: '', prefix: 'ces_live_abcd', scopes: ['search'], expiresAt: undefined },
      ...{ former: undefined, newest: { pepper: 'p', digest: Buffer.alloc(32, fill) } },
    });
  const [working, revoked, foreign, expired] = [
    await issue(mine.accountId, 1),
    await issue(mine.accountId, 2),
    await issue(theirs.accountId, 3),
    await issue(mine.accountId, 4),
  ];
  await revokeCredential(ledger.pool, revoked.id);
  await ledger.owner.query(
    `update credential set created_at = 'epoch', expires_at = clock_timestamp() - interval '1 ms' where id = $1`,
    [expired.id],
  );
  for (const credentialId of [revoked.id, foreign.id, expired.id, 999_999n])
    expect((await postings.admit({ ...admission('reserve', mine), credentialId })).hold).toMatchObject({
      state: 'refused',
      refusal: { code: 'invalid_api_key' },
    });
  expect((await postings.admit({ ...admission('reserve', mine), credentialId: working.id })).hold.state).toBe('held');
});

test('time never goes back: entries follow one another even when the clock of the database does not', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const ahead = "date_trunc('second', clock_timestamp()) + interval '1 hour'";
  await ledger.owner.query(`update subscription set last_at = ${ahead} where id = $1`, [subscriber.subscriptionId]);
  for (const _ of [1, 2]) await postings.admit(admission('charge', subscriber));
  const { rows } = await ledger.owner.query<{ micros: string }>(
    `select to_char(settled_at, 'US') as micros from entry where subscription_id = $1 order by settled_at`,
    [subscriber.subscriptionId],
  );
  expect(rows.map(({ micros }) => micros)).toEqual(['000001', '000002']);
});

test('units may all be zero', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 0n, windowDeliveredUnits: 0n });
  const reserve = admission('reserve', subscriber, 0, 0);
  expect((await postings.admit(reserve)).hold.state).toBe('held');
  expect((await postings.settle(reserve, units(0, 0))).hold.state).toBe('posted');
  expect((await postings.admit(admission('charge', subscriber, 0, 0))).hold.state).toBe('posted');
});

test('one bad posting does not fail the calls that share its commit', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const [bad, good] = [admission('reserve', subscriber, 2), admission('reserve', subscriber, 2)];
  for (const reserve of [bad, good]) await postings.admit(reserve);
  const results = await Promise.allSettled([
    postings.admit(admission('reserve', subscriber)),
    postings.settle(bad, units(9, 9)),
    postings.settle(good, units(1, 2)),
    postings.admit({ ...admission('reserve', subscriber), operationId: 0n }),
    postings.admit(admission('charge', subscriber, 1)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
});
