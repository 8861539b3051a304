import { createLogger } from '@ces/chassis/telemetry/log';
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
import { readOldestHold } from '../db/hold.ts';
import { createPostings, type Postings } from '../posting/postings.ts';
import { Reconciler } from './reconciler.ts';

const ROUNDS = 100;
const logger = createLogger('test', 'silent');
const never = new AbortController().signal;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** One operation from its admission to its end; what it does follows from `turn` alone. */
async function runOperation(postings: Postings, payer: Subscriber, turn: number): Promise<void> {
  const call = admission(turn % 3 === 0 ? 'charge' : 'reserve', payer, turn % 4);
  const { hold } = await postings.admit(call);
  if (hold.state === 'held' && turn % 5 === 0) await postings.release(call);
  else if (hold.state === 'held') await postings.settle(call, units(1, 0));
}

test('a busy ledger is never said to have drifted, a hundred times', { timeout: 120_000 }, async () => {
  const payers = await Promise.all([1, 2, 3].map(() => createSubscriber(ledger.pool, { windowSeconds: 1n })));
  const postings = createPostings(ledger.pool);
  const reconciler = new Reconciler(ledger.pool, logger);
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = payers.flatMap((payer) => [0, 1, 2].map((turn) => runOperation(postings, payer, 3 * round + turn)));
    await Promise.all([reconciler.pass(never), ...turns]);
    found.push(...(reconciler.differences ?? []));
  }
  expect(found).toEqual([]);
});

test('what drifts is found in the next pass, on a subscription that had no difference and no calls since, and so is its repair', async () => {
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

test('the oldest hold is as old as the hold that is never ended', async () => {
  await using own = await createTestLedger();
  const payer = await createSubscriber(own.pool);
  expect(await readOldestHold(own.pool)).toBe(0);
  await createPostings(own.pool).admit(admission('reserve', payer));
  await letTimePass(own.owner, payer.subscriptionId, 4_000);
  const seconds = await readOldestHold(own.pool);
  expect(seconds).toBeGreaterThanOrEqual(4_000);
  expect(seconds).toBeLessThan(4_100);
});

test('a pass that is told to end leaves what the last one found', async () => {
  const reconciler = new Reconciler(ledger.pool, logger);
  await createSubscriber(ledger.pool);
  await expect(reconciler.pass(AbortSignal.abort())).rejects.toThrow();
  expect(reconciler.differences).toBe(undefined);
});
