import { createPostings, type Postings } from '@ces/ledger/posting/postings';
import {
  admission,
  createSubscriber,
  createTestLedger,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
} from '@ces/ledger/test-support/test-ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Limit, readClock, readEntries, readInstant, reliefOf } from '../support/allowance/relief.ts';
import { HISTORIES, SEED } from '../support/allowance/run-length.ts';

const SECOND = 1_000_000n;
const WEEK_SECONDS = 604_800n;

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

const parameters = { numRuns: HISTORIES, seed: Number.parseInt(SEED.slice(0, 7), 36), verbose: 1 } as const;
const timeout = 60_000 + HISTORIES * 1_000;

const amount = (most: number) => fc.integer({ min: 1, max: most }).map(BigInt);
const numbers = fc.record({
  windowSeconds: fc.integer({ min: 2, max: 600 }).map(BigInt),
  windowRequestUnits: amount(5),
  windowDeliveredUnits: amount(20),
  weekRequestUnits: amount(8),
  weekDeliveredUnits: amount(40),
});
const pass = fc.constantFrom(0.3, 1.7, 45.4, 300.6, 100_000.2, 250_000.9).map((seconds) => ({ seconds }));
const charge = fc.nat(6).map((delivered) => ({ delivered }));
const history = fc.array(fc.oneof(charge, charge, pass), { minLength: 1, maxLength: 14 });

type Numbers = typeof numbers extends fc.Arbitrary<infer T> ? T : never;

function limitsOf(own: Numbers): readonly Limit[] {
  return [
    { length: own.windowSeconds * SECOND, requests: own.windowRequestUnits, delivered: own.windowDeliveredUnits },
    { length: WEEK_SECONDS * SECOND, requests: own.weekRequestUnits, delivered: own.weekDeliveredUnits },
  ];
}

/**
 * Sends a charge and checks the decision and its `retry_at` against the entries at the instant of
 * the decision.
 */
async function askExactly(
  subscriber: Subscriber,
  own: Numbers,
  delivered: number,
): Promise<Date | undefined | 'posted'> {
  const entries = await readEntries(ledger.owner, subscriber.subscriptionId);
  const call = admission('charge', subscriber, delivered);
  const { hold } = await postings.admit(call);
  const at = await readInstant(ledger.owner, call.operationId);
  const relief = reliefOf(entries, limitsOf(own), { requests: 1n, delivered: BigInt(delivered) }, at);
  expect(hold.state).toBe(relief === at ? 'posted' : 'refused');
  if (!hold.refusal) return 'posted';
  const expected = relief === undefined ? undefined : new Date(Number((relief + SECOND - 1n) / SECOND) * 1_000);
  expect(hold.refusal.retryAt).toEqual(expected);
  return expected;
}

async function passUntil(subscriber: Subscriber, instant: Date, secondsBefore: number): Promise<void> {
  const now = Number(await readClock(ledger.owner)) / 1e6;
  await letTimePass(ledger.owner, subscriber.subscriptionId, instant.getTime() / 1_000 - now - secondsBefore);
}

/**
 * Shifts the past so that the next call of this size becomes admissible just before a whole second.
 */
async function align(subscriber: Subscriber, own: Numbers, delivered: number): Promise<void> {
  const entries = await readEntries(ledger.owner, subscriber.subscriptionId);
  const now = await readClock(ledger.owner);
  const relief = reliefOf(entries, limitsOf(own), { requests: 1n, delivered: BigInt(delivered) }, now) ?? now;
  const ahead = Number(relief % SECOND) / 1e6 - 0.99;
  await letTimePass(ledger.owner, subscriber.subscriptionId, ahead < 0 ? ahead + 1 : ahead);
}

test('after any history without holds retry_at is the second in which the call fits: not before it, and then', {
  timeout,
}, async () => {
  const counts = { histories: 0, refused: 0, refusedBefore: 0 };
  await fc.assert(
    fc.asyncProperty(numbers, history, fc.nat(8), async (own, steps, delivered) => {
      const subscriber = await createSubscriber(ledger.pool, own);
      for (const step of steps)
        if ('seconds' in step) await letTimePass(ledger.owner, subscriber.subscriptionId, step.seconds);
        else await askExactly(subscriber, own, step.delivered);
      await align(subscriber, own, delivered);
      counts.histories += 1;
      const retryAt = await askExactly(subscriber, own, delivered);
      if (!(retryAt instanceof Date)) return;
      counts.refused += 1;
      await passUntil(subscriber, retryAt, 1);
      if ((await askExactly(subscriber, own, delivered)) === 'posted') return;
      counts.refusedBefore += 1;
      await letTimePass(ledger.owner, subscriber.subscriptionId, 1);
      expect(await askExactly(subscriber, own, delivered)).toBe('posted');
    }),
    parameters,
  );
  console.log(`seed ${SEED}: ${JSON.stringify(counts)}`);
  expect(counts.refusedBefore).toBeGreaterThan(0);
});

const move = fc.oneof(
  fc.record({ kind: fc.constantFrom('reserve', 'reserve', 'charge'), delivered: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constantFrom('settle', 'release'), delivered: fc.nat(6) }),
  pass,
);

test('after any history with holds retry_at is in the future, and by at least five seconds while holds block', {
  timeout,
}, async () => {
  const refusals = { blocked: 0, free: 0 };
  await fc.assert(
    fc.asyncProperty(numbers, fc.array(move, { minLength: 5, maxLength: 20 }), async (own, moves) => {
      const subscriber = await createSubscriber(ledger.pool, own);
      const held: (ReturnType<typeof admission> & { readonly delivered: number })[] = [];
      for (const one of moves) {
        if ('seconds' in one) await letTimePass(ledger.owner, subscriber.subscriptionId, one.seconds);
        else if (one.kind === 'reserve' || one.kind === 'charge') {
          const call = admission(one.kind, subscriber, one.delivered);
          const { hold } = await postings.admit(call);
          if (hold.state === 'held') held.push({ ...call, delivered: one.delivered });
          if (!hold.refusal?.retryAt) continue;
          const ahead =
            BigInt(hold.refusal.retryAt.getTime()) * 1_000n - (await readInstant(ledger.owner, call.operationId));
          refusals[held.length > 0 ? 'blocked' : 'free'] += 1;
          expect(ahead).toBeGreaterThanOrEqual(held.length > 0 ? 5n * SECOND : 1n);
        } else {
          const oldest = held.shift();
          if (oldest && one.kind === 'release') await postings.release(oldest);
          else if (oldest) await postings.settle(oldest, units(1, Math.min(one.delivered, oldest.delivered)));
        }
      }
    }),
    parameters,
  );
  console.log(`seed ${SEED}: ${JSON.stringify(refusals)}`);
  expect(refusals.blocked).toBeGreaterThan(0);
});
