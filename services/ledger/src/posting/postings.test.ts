import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { readStanding } from '../db/balance-snapshot.ts';
import { insertCredential, revokeCredential } from '../db/credential.ts';
import { updateSubscription } from '../db/subscription.ts';
import { createMovements, type Movements } from './postings.ts';
import { MovementFault } from './result.ts';

let ledger: TestLedger;
let movements: Movements;

beforeAll(async () => {
  ledger = await createTestLedger();
  movements = createMovements(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function countersOf(subscriptionId: bigint) {
  const current = await readStanding(ledger.pool, subscriptionId);
  return { held: current?.standing.held, settled: current?.standing.horizons.window.settled };
}

test('a reserved operation blocks its units until it settles for what was used', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  const held = await movements.admit(reserve);
  expect(held).toMatchObject({ hold: { state: 'held' }, allowance: { windowRemaining: 59n, weeklyRemaining: 499n } });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(1, 10), settled: units(0, 0) });
  const posted = await movements.settle(reserve.operationId, units(1, 7, 3));
  expect(posted).toMatchObject({ hold: { state: 'posted' }, allowance: { windowRemaining: 59n } });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 7, 3) });
});

test('a charge admits and settles in one step', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const { hold, allowance } = await movements.admit(admission('charge', subscriber, 4));
  expect(hold.state).toBe('posted');
  expect(allowance).toMatchObject({ windowRemaining: 59n, windowResetSeconds: 18_000n, weeklyResetSeconds: 604_800n });
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 4) });
});

test('a released hold gives its units back', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  await movements.admit(reserve);
  expect((await movements.release(reserve.operationId)).hold.state).toBe('void');
  expect((await movements.release(reserve.operationId)).hold.state).toBe('void');
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(0, 0) });
});

test('ten simultaneous calls of one operation take its units once', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const other = createMovements(ledger.pool);
  const reserve = admission('reserve', subscriber, 5);
  const ten = [...Array(10).keys()];
  const admitted = await Promise.all(ten.map((n) => (n % 2 ? movements : other).admit(reserve)));
  expect(admitted.map(({ hold }) => hold.state)).toEqual(ten.map(() => 'held'));
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(1, 5));
  await Promise.all(ten.map((n) => (n % 2 ? movements : other).settle(reserve.operationId, units(1, 5))));
  const charge = admission('charge', subscriber, 2);
  await Promise.all(ten.map((n) => (n % 2 ? movements : other).admit(charge)));
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(2, 7) });
});

test('a late reserve or charge of a settled or released operation hears its state and takes nothing', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const [settled, released] = [admission('reserve', subscriber, 1), admission('reserve', subscriber, 1)];
  for (const reserve of [settled, released]) await movements.admit(reserve);
  await movements.settle(settled.operationId, units(1, 1));
  await movements.release(released.operationId);
  expect((await movements.admit(settled)).hold.state).toBe('posted');
  expect((await movements.admit(released)).hold.state).toBe('void');
  expect((await movements.admit({ ...settled, kind: 'charge' })).hold.state).toBe('posted');
  expect((await movements.release(settled.operationId)).hold.state).toBe('posted');
  expect(await countersOf(subscriber.subscriptionId)).toEqual({ held: units(0, 0), settled: units(1, 1) });
});

test('a refusal is remembered: the same operation is refused in the same words when units are free again', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1n });
  const blocking = admission('reserve', subscriber);
  await movements.admit(blocking);
  const refused = admission('reserve', subscriber);
  const { hold } = await movements.admit(refused);
  expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'request_limit_reached' } });
  await movements.release(blocking.operationId);
  const again = await movements.admit(refused);
  expect(again.hold.refusal).toEqual(hold.refusal);
  expect(again.allowance?.windowRemaining).toBe(1n);
  expect((await movements.release(refused.operationId)).hold.state).toBe('refused');
  expect((await movements.admit(admission('reserve', subscriber))).hold.state).toBe('held');
});

test('releasing an operation that was never seen keeps a late reserve from taking units', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const reserve = admission('reserve', subscriber, 10);
  expect((await movements.release(reserve.operationId)).hold.state).toBe('refused');
  expect((await movements.admit(reserve)).hold).toMatchObject({ state: 'refused', refusal: { code: 'usage_expired' } });
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(0, 0));
});

test('a reserve and a release that race leave nothing held, whoever is first', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1_000n });
  const other = createMovements(ledger.pool);
  for (let round = 0; round < 30; round += 1) {
    const reserve = admission('reserve', subscriber, 1);
    await Promise.all([movements.admit(reserve), other.release(reserve.operationId)]);
    expect((await movements.release(reserve.operationId)).hold.state).toMatch(/^(void|refused)$/);
  }
  expect((await countersOf(subscriber.subscriptionId)).held).toEqual(units(0, 0));
});

test.each(['settle more than is held', 'settle a void hold', 'settle what was refused', 'settle what was never seen'])(
  'a caller that would %s is a loud fault and changes nothing',
  async (what) => {
    const subscriber = await createSubscriber(ledger.pool, { windowDeliveredUnits: 10n });
    const reserve = admission('reserve', subscriber, what === 'settle what was refused' ? 11 : 5);
    if (what !== 'settle what was never seen') await movements.admit(reserve);
    if (what === 'settle a void hold') await movements.release(reserve.operationId);
    const before = await countersOf(subscriber.subscriptionId);
    await expect(movements.settle(reserve.operationId, units(1, 6))).rejects.toBeInstanceOf(MovementFault);
    expect(await countersOf(subscriber.subscriptionId)).toEqual(before);
  },
);

test('an operation belongs to the subscription that took it first', async () => {
  const [one, two] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  const reserve = admission('reserve', one, 1);
  await movements.admit(reserve);
  await expect(movements.admit({ ...reserve, ...two })).rejects.toBeInstanceOf(MovementFault);
  await expect(movements.admit({ ...reserve, kind: 'charge' })).rejects.toBeInstanceOf(MovementFault);
});

test.each(['past_due', 'paused', 'canceled', 'unpaid', 'incomplete'])(
  'a subscription that is %s takes no units',
  async (status) => {
    const subscriber = await createSubscriber(ledger.pool, {}, status);
    const { hold } = await movements.admit(admission('reserve', subscriber));
    expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'subscription_required' } });
  },
);

test('a trialing subscription takes units, and one that lapses still settles what it holds', async () => {
  const subscriber = await createSubscriber(ledger.pool, {}, 'trialing');
  const reserve = admission('reserve', subscriber, 2);
  expect((await movements.admit(reserve)).hold.state).toBe('held');
  const lapse = { plan: undefined, status: 'canceled', ownLimits: {}, replaceLimits: false };
  await updateSubscription(ledger.pool, subscriber.subscriptionId, lapse);
  expect((await movements.admit(reserve)).hold.state).toBe('held');
  expect((await movements.settle(reserve.operationId, units(1, 2))).hold.state).toBe('posted');
});

test('the subscription of another account, or none, is a missing subscription', async () => {
  const [mine, theirs] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  for (const subscriptionId of [theirs.subscriptionId, 0n, 999_999n]) {
    const { hold } = await movements.admit({ ...admission('charge', mine), subscriptionId });
    expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'subscription_required' } });
  }
});

test('a credential that is revoked, unknown or of another account takes no units', async () => {
  const [mine, theirs] = [await createSubscriber(ledger.pool), await createSubscriber(ledger.pool)];
  const issue = (accountId: bigint, fill: number) =>
    insertCredential(ledger.pool, {
      ...{
        accountId,
        testMode: false,
        label: '',
        prefix: 'ces_live_abcd',
        pepper: 'p',
        digest: Buffer.alloc(32, fill),
      },
    });
  const [working, revoked, foreign] = [
    await issue(mine.accountId, 1),
    await issue(mine.accountId, 2),
    await issue(theirs.accountId, 3),
  ];
  await revokeCredential(ledger.pool, revoked.id);
  for (const credentialId of [revoked.id, foreign.id, 999_999n])
    expect((await movements.admit({ ...admission('reserve', mine), credentialId })).hold).toMatchObject({
      state: 'refused',
      refusal: { code: 'invalid_api_key' },
    });
  expect((await movements.admit({ ...admission('reserve', mine), credentialId: working.id })).hold.state).toBe('held');
});

test('time never goes back: entries follow one another even when the clock of the database does not', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const ahead = "date_trunc('second', clock_timestamp()) + interval '1 hour'";
  await ledger.owner.query(`update subscription set last_at = ${ahead} where id = $1`, [subscriber.subscriptionId]);
  for (const _ of [1, 2]) await movements.admit(admission('charge', subscriber));
  const { rows } = await ledger.owner.query<{ micros: string }>(
    `select to_char(settled_at, 'US') as micros from entry where subscription_id = $1 order by settled_at`,
    [subscriber.subscriptionId],
  );
  expect(rows.map(({ micros }) => micros)).toEqual(['000001', '000002']);
});

test('units may all be zero', async () => {
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 0n, windowDeliveredUnits: 0n });
  const reserve = admission('reserve', subscriber, 0, 0);
  expect((await movements.admit(reserve)).hold.state).toBe('held');
  expect((await movements.settle(reserve.operationId, units(0, 0))).hold.state).toBe('posted');
  expect((await movements.admit(admission('charge', subscriber, 0, 0))).hold.state).toBe('posted');
});

test('one bad movement does not fail the calls that share its commit', async () => {
  const subscriber = await createSubscriber(ledger.pool);
  const [bad, good] = [admission('reserve', subscriber, 2), admission('reserve', subscriber, 2)];
  for (const reserve of [bad, good]) await movements.admit(reserve);
  const results = await Promise.allSettled([
    movements.admit(admission('reserve', subscriber)),
    movements.settle(bad.operationId, units(9, 9)),
    movements.settle(good.operationId, units(1, 2)),
    movements.admit({ ...admission('reserve', subscriber), operationId: 0n }),
    movements.admit(admission('charge', subscriber, 1)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
});
