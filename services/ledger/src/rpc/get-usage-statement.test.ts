import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { AMPLE, admission, createSubscriber, letTimePass } from '../../test-support/test-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

async function subscriberWith(deliveredUnits: readonly number[]) {
  const subscriber = await createSubscriber(served.ledger.pool, AMPLE);
  for (const delivered of deliveredUnits) {
    const { operationId, identity: operationIdentity, units } = admission('charge', subscriber, delivered);
    await served.service('operations').charge({ ...subscriber, operationId, operationIdentity, units });
  }
  return subscriber;
}

const refusalOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return failureOf(error);
};

test('the current period is the default, and adds up to what the usage report says of it', async () => {
  const { subscriptionId } = await subscriberWith([2, 3, 0]);
  const statement = await served.service('operations').getUsageStatement({ subscriptionId });
  const report = await served.service('gateway').getUsageReport({ subscriptionId });
  expect(statement.totals).toEqual(report.period);
  expect(statement.since).toEqual(report.subscription?.currentPeriodStart);
  expect(statement.lines.map(({ units }) => units?.deliveredUnits)).toEqual([2n, 3n, 0n]);
  expect([statement.hasMore, statement.lines[0]?.reason]).toEqual([false, undefined]);
});

test('an ended period is not part of the current one, and can be requested', async () => {
  const subscriber = await subscriberWith([2]);
  await letTimePass(served.ledger.owner, subscriber.subscriptionId, 40 * 86_400);
  const operations = served.service('operations');
  const current = await operations.getUsageStatement(subscriber);
  expect([current.lines, current.totals?.requestUnits]).toEqual([[], 0n]);
  const since = timestampFromDate(new Date(Date.now() - 50 * 86_400_000));
  const past = await operations.getUsageStatement({ ...subscriber, since });
  expect(past.totals).toMatchObject({ requestUnits: 1n, deliveredUnits: 2n });
});

test('later pages go on from the last line, as of the first page', async () => {
  const { subscriptionId } = await subscriberWith([1, 2, 3]);
  const operations = served.service('operations');
  const first = await operations.getUsageStatement({ subscriptionId, limit: 2 });
  const settledAt = first.lines[1]?.settledAt;
  const [since, until, knownUntil] = [first.since, first.until, first.knownUntil];
  if (!settledAt || !since || !until || !knownUntil) throw new Error('an answer lacks an instant');
  const after = { knownUntil, settledAt, reversal: false };
  const second = await operations.getUsageStatement({ subscriptionId, since, until, limit: 2, after });
  expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  expect([...first.lines, ...second.lines].map(({ units }) => units?.deliveredUnits)).toEqual([1n, 2n, 3n]);
  expect(second.totals).toEqual(first.totals);
});

test('an empty, reversed or too old interval is refused with a sentence', async () => {
  const { subscriptionId } = await subscriberWith([1]);
  const ask = (since: Date, until?: Date) =>
    refusalOf(
      served.service('operations').getUsageStatement({
        subscriptionId,
        since: timestampFromDate(since),
        ...(until && { until: timestampFromDate(until) }),
      }),
    );
  const now = new Date();
  const tomorrow = new Date(now.getTime() + 86_400_000);
  for (const refused of [await ask(now, now), await ask(tomorrow, now), await ask(tomorrow)]) {
    expect(refused?.code).toBe(FailureCode.INVALID_REQUEST);
    expect(refused?.message).toBe('`since` must be before `until`, which is now unless it is sent.');
  }
  const { keptSince } = await served.service('operations').getRetention({});
  if (!keptSince) throw new Error('an answer lacks an instant');
  const old = await ask(new Date(timestampDate(keptSince).getTime() - 60_000));
  expect(old?.code).toBe(FailureCode.INVALID_REQUEST);
  expect(old?.message).toMatch(/^Settlements are kept since .*Z: send that or a later instant as `since`\.$/);
  expect(await ask(new Date(timestampDate(keptSince).getTime() + 60_000))).toBeUndefined();
});

test('the earliest instant that a refusal names is still valid an hour later, and a started statement is read to its end', async () => {
  const subscriber = await subscriberWith([2, 3, 4]);
  const { subscriptionId } = subscriber;
  const service = served.service('operations');
  const tooOld = service.getUsageStatement({ subscriptionId, since: timestampFromDate(new Date(0)) });
  const [named = ''] = /[\dT:.-]+Z/.exec((await refusalOf(tooOld))?.message ?? '') ?? [];
  const { keptSeconds } = await service.getRetention({});
  const keptSince = Date.now() - Number(keptSeconds) * 1_000;
  expect(new Date(named).getTime() - keptSince).toBeGreaterThan(86_000_000);
  // This instant is the oldest that is kept, and a moment later it no longer is.
  const since = timestampFromDate(new Date(keptSince + 1_500));
  const first = await service.getUsageStatement({ subscriptionId, since, limit: 1 });
  await expect
    .poll(() => refusalOf(service.getUsageStatement({ subscriptionId, since })))
    .toMatchObject({ code: FailureCode.INVALID_REQUEST });
  const after = { knownUntil: first.knownUntil, settledAt: first.lines[0]?.settledAt, reversal: false };
  const rest = await service.getUsageStatement({ subscriptionId, since, until: first.until, after });
  expect([first.lines.length, rest.lines.length, rest.totals]).toEqual([1, 2, first.totals]);
});
