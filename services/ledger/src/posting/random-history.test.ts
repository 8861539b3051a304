import fc, { type AsyncCommand } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LedgerModel, type Pair } from '../../test-support/ledger-model.ts';
import {
  admission,
  createSubscriber,
  createTestLedger,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
  withoutPayer,
} from '../../test-support/test-ledger.ts';
import type { Admission } from '../allowance/posting.ts';
import { updateSubscription } from '../db/subscription.ts';
import { findCounterDifferences } from '../db/verification/counters.ts';
import { findUnmatchedPostings } from '../db/verification/unmatched-postings.ts';
import { createPostings, type Postings } from './postings.ts';
import type { PostingResult } from './result.ts';

/**
 * The test advances time in these steps. No sum of them comes within 9 s of a window or the week,
 * so the run's own duration has no effect.
 */
const STEP_SECONDS = 110;
const WINDOWS_SECONDS = [150, 260];

interface Real {
  readonly ledger: TestLedger;
  readonly postings: Postings;
  readonly subscriber: Subscriber;
  readonly asked: { readonly call: Admission; readonly result: PostingResult }[];
}

type Command = AsyncCommand<LedgerModel, Real>;

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

test('over any history the ledger admits, refuses and counts like a model that keeps everything', async () => {
  const histories = fc.commands([pass, pass, resize, ask, ask, ask, settle, settle, release, repeat], {
    maxCommands: 40,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const model = new LedgerModel();
      const subscriber = await createSubscriber(ledger.pool, model.ownLimits());
      const real = { ledger, postings: createPostings(ledger.pool), subscriber, asked: [] };
      await fc.asyncModelRun(() => ({ model, real }), history);
      expect(await findCounterDifferences(ledger.pool, subscriber.subscriptionId)).toEqual([]);
      expect(await findUnmatchedPostings(ledger.pool, subscriber.subscriptionId)).toEqual([]);
    }),
    { numRuns: 60, verbose: 1 },
  );
});

function command(description: string, run: Command['run'], check: Command['check'] = () => true): Command {
  return { check, run, toString: () => description };
}

const pair = fc.record({ requests: fc.constantFrom(0, 1, 1, 1, 2), delivered: fc.nat(9) });

const ask = fc.tuple(fc.constantFrom('reserve', 'charge'), pair).map(([kind, wanted]) =>
  command(`${kind} ${wanted.requests}/${wanted.delivered}`, async (model, { postings, subscriber, asked }) => {
    const fits = model.fits(wanted);
    const admissible = model.admissibleDelivered(wanted);
    const call = admission(kind, subscriber, wanted.delivered, wanted.requests);
    const result = await postings.admit(call);
    asked.push({ call, result });
    if (fits && kind === 'reserve') model.hold(call.operationId, wanted);
    if (fits && kind === 'charge') model.post(wanted);
    expect(result.hold.state).toBe(fits ? (kind === 'reserve' ? 'held' : 'posted') : 'refused');
    if (!fits) expect(Number(result.hold.refusal?.admissibleDeliveredUnits)).toBe(admissible);
    expectAllowance(result, model);
  }),
);

const settle = fc.tuple(fc.nat(9), fc.nat(100)).map(([position, percent]) =>
  command(
    `settle hold ${position} for ${percent} %`,
    async (model, { postings }) => {
      const [operationId, held] = model.holdAt(position) as readonly [bigint, Pair];
      const used = { requests: held.requests, delivered: Math.floor((held.delivered * percent) / 100) };
      const result = await postings.settle(withoutPayer(operationId), units(used.requests, used.delivered));
      model.release(operationId);
      model.post(used);
      expect(result.hold.state).toBe('posted');
      expectAllowance(result, model);
    },
    (model) => model.holdAt(position) !== undefined,
  ),
);

const release = fc.nat(9).map((position) =>
  command(
    `release hold ${position}`,
    async (model, { postings }) => {
      const [operationId] = model.holdAt(position) as readonly [bigint, Pair];
      const result = await postings.release(withoutPayer(operationId));
      model.release(operationId);
      expect(result.hold.state).toBe('void');
      expectAllowance(result, model);
    },
    (model) => model.holdAt(position) !== undefined,
  ),
);

const repeat = fc.nat(40).map((position) =>
  command(`repeat call ${position}`, async (model, { postings, asked }) => {
    const earlier = asked[position % asked.length];
    if (!earlier) return;
    const result = await postings.admit({ ...earlier.call, kind: 'reserve' });
    expect(result.hold.refusal).toEqual(earlier.result.hold.refusal);
    expectAllowance(result, model);
  }),
);

const pass = fc.constantFrom(1, 1, 2, 1_000, 2_500).map((steps) =>
  command(`${steps * STEP_SECONDS} s pass`, async (model, { subscriber }) => {
    await letTimePass(ledger.owner, subscriber.subscriptionId, steps * STEP_SECONDS);
    model.pass(steps * STEP_SECONDS);
  }),
);

const resize = fc
  .tuple(fc.constantFrom(...WINDOWS_SECONDS), fc.integer({ min: 1, max: 6 }))
  .map(([seconds, requests]) =>
    command(`window of ${requests} in ${seconds} s`, async (model, { subscriber }) => {
      model.limits = { ...model.limits, windowSeconds: seconds, window: { ...model.limits.window, requests } };
      const change = { plan: undefined, status: undefined, ownLimits: model.ownLimits(), replaceLimits: true };
      await updateSubscription(ledger.pool, subscriber.subscriptionId, change);
    }),
  );

function expectAllowance({ allowance }: PostingResult, model: LedgerModel): void {
  const left = { window: Number(allowance?.windowRemaining), week: Number(allowance?.weeklyRemaining) };
  expect(left).toEqual(model.remaining());
}
