import { createLogger } from '@ces/chassis/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMovements } from '../movement/movements.ts';
import { admission, createSubscriber, createTestLedger, type Subscriber, type TestLedger, units } from '../testing.ts';
import { Reconciler } from './reconciler.ts';

const ROUNDS = 100;
const CALLERS = 3;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test('a busy ledger is never said to have drifted, a hundred times', { timeout: 120_000 }, async () => {
  const payers = await Promise.all([1, 2, 3].map(() => createSubscriber(ledger.pool, { windowSeconds: 1n })));
  const movements = createMovements(ledger.pool);
  const reconciler = new Reconciler(ledger.pool, logger);
  let busy = true;
  let moved = 0;
  const caller = async (payer: Subscriber) => {
    for (let turn = 0; busy; turn += 1) {
      const call = admission(turn % 3 === 0 ? 'charge' : 'reserve', payer, turn % 4);
      const { hold } = await movements.admit(call);
      if (hold.state === 'held' && turn % 5 === 0) await movements.release(call.operationId);
      else if (hold.state === 'held') await movements.settle(call.operationId, units(1, 0));
      moved += 1;
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, at) => caller(payers[at % payers.length] as Subscriber));
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await reconciler.pass(never);
    found.push(...(reconciler.differences ?? []));
  }
  busy = false;
  await Promise.all(callers);
  expect(found).toEqual([]);
  expect(moved).toBeGreaterThan(CALLERS);
});

test('what drifts is found in the next pass, on a subscription that was well and does not move, and so is its mending', async () => {
  const { subscriptionId } = await createSubscriber(ledger.pool);
  const reconciler = new Reconciler(ledger.pool, logger);
  expect(reconciler.differences).toBe(undefined);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
  const setHeld = (held: number) =>
    ledger.owner.query('update subscription set held_request_units = $2 where id = $1', [subscriptionId, held]);
  await setHeld(3);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([
    { subscriptionId, operationId: 0n, description: 'counter of held request units: stored 3, recomputed 0' },
  ]);
  await setHeld(0);
  await reconciler.pass(never);
  expect(reconciler.differences).toEqual([]);
});

test('a pass that is told to end leaves what the last one found', async () => {
  const reconciler = new Reconciler(ledger.pool, logger);
  await createSubscriber(ledger.pool);
  await expect(reconciler.pass(AbortSignal.abort())).rejects.toThrow();
  expect(reconciler.differences).toBe(undefined);
});
