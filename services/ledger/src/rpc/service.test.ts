import { timestampDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import {
  createSubscriber,
  identityOf,
  letTimePass,
  nextOperationId,
  type Subscriber,
  units,
} from '../../test-support/test-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

function operations() {
  return served.service('operations');
}

function named(operationId: bigint) {
  return { operationId, operationIdentity: identityOf(operationId) };
}

function ask(subscriber: Subscriber, deliveredUnits: number, operationId = nextOperationId()) {
  return { ...subscriber, ...named(operationId), credentialId: 0n, units: units(1, deliveredUnits) };
}

test('an operation is reserved, settled, and shown in the usage report', async () => {
  const subscriber = await createSubscriber(served.ledger.pool);
  const { subscriptionId } = subscriber;
  const reserve = ask(subscriber, 10);
  const { outcome } = await operations().reserve(reserve);
  expect(outcome).toMatchObject({ case: 'admitted', value: { state: HoldState.HELD } });
  const held = await served.service('gateway').getUsageReport({ subscriptionId });
  expect(held).toMatchObject({ reserved: units(1, 10), period: units(0, 0), week: units(0, 0) });
  const { allowance } = await operations().settle({ ...named(reserve.operationId), units: units(1, 4, 2) });
  expect(allowance).toMatchObject({ windowSeconds: 18_000n, windowRemaining: 59n, weeklyRemaining: 499n });
  const report = await served.service('gateway').getUsageReport({ subscriptionId });
  expect(report).toMatchObject({ reserved: units(0, 0), period: units(1, 4, 2), week: units(1, 4, 2) });
  expect(report.subscription).toMatchObject({
    ...{ plan: 'builder', status: 'active' },
    effectiveLimits: { periodRequestUnits: 1_500n, weekRequestUnits: 500n, periodDeliveredUnits: 15_000n },
  });
  expect(report.allowance).toEqual(allowance && { ...allowance, ...resets(report.allowance) });
});

function resets(allowance: { windowResetSeconds: bigint; weeklyResetSeconds: bigint } | undefined) {
  expect(allowance?.windowResetSeconds).toBeGreaterThan(17_990n);
  expect(allowance?.weeklyResetSeconds).toBeGreaterThan(604_790n);
  return { windowResetSeconds: allowance?.windowResetSeconds, weeklyResetSeconds: allowance?.weeklyResetSeconds };
}

test('allowance and report are right at the moment of the read, though nothing was written since', async () => {
  const subscriber = await createSubscriber(served.ledger.pool);
  const { subscriptionId } = subscriber;
  await operations().charge(ask(subscriber, 5));
  await letTimePass(served.ledger.owner, subscriptionId, 18_001);
  await operations().reserve(ask(subscriber, 2));
  const { allowance, plan, status } = await served.service('gateway').getAllowance({ subscriptionId });
  expect({ plan, status }).toEqual({ plan: 'builder', status: 'active' });
  expect(allowance).toMatchObject({ windowRemaining: 59n, weeklyRemaining: 498n, windowResetSeconds: 0n });
  await letTimePass(served.ledger.owner, subscriptionId, 604_800);
  const report = await served.service('gateway').getUsageReport({ subscriptionId });
  expect(report).toMatchObject({ week: units(0, 0), reserved: units(1, 2) });
  expect(report.allowance).toMatchObject({ weeklyRemaining: 499n });
});

test('a refusal carries code, sentence, retry time and the number that would be admitted', async () => {
  const subscriber = await createSubscriber(served.ledger.pool, { windowDeliveredUnits: 10n });
  await operations().charge(ask(subscriber, 7));
  const refused = ask(subscriber, 5);
  const { outcome } = await operations().charge(refused);
  if (outcome.case !== 'refused') throw new Error('it was admitted');
  const { failure, allowance, admissibleDeliveredUnits } = outcome.value;
  expect(failure).toMatchObject({
    code: FailureCode.REQUEST_LIMIT_REACHED,
    message: expect.stringContaining('delivered units'),
  });
  expect(failure?.retryAt && timestampDate(failure.retryAt).getTime()).toBeGreaterThan(Date.now());
  expect(failure?.retryAfterSeconds).toBeGreaterThan(17_990n);
  expect(admissibleDeliveredUnits).toBe(3n);
  expect(allowance?.windowRemaining).toBe(59n);
  const again = await operations().charge(refused);
  expect(again.outcome).toMatchObject({ case: 'refused', value: { failure } });
});

test.each(['', '00000000-0000-4000-8000-00000000000A'])(
  'a call that names an operation by the identity "%s" is refused and changes nothing',
  async (operationIdentity) => {
    const known = ask(await createSubscriber(served.ledger.pool), 5);
    await operations().reserve(known);
    const { operationId } = known;
    const calls = [
      () => operations().reserve({ ...known, operationIdentity }),
      () => operations().charge({ ...known, operationIdentity }),
      () => operations().settle({ operationId, operationIdentity, units: units(1, 5) }),
      () => operations().release({ operationId, operationIdentity }),
      () => operations().reverse({ operationId, operationIdentity, reason: 'lost' }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: Code.InvalidArgument });
    const { rows } = await served.ledger.owner.query('select state from hold where operation_id = $1', [operationId]);
    expect(rows).toEqual([{ state: 'held' }]);
  },
);

test('a charge is admitted by its worst case, and takes what it names', async () => {
  const subscriber = await createSubscriber(served.ledger.pool, { windowDeliveredUnits: 3n });
  const refused = await operations().charge({ ...ask(subscriber, 0), worstCaseDeliveredUnits: 4n });
  expect(refused.outcome).toMatchObject({ case: 'refused', value: { admissibleDeliveredUnits: 3n } });
  const charged = await operations().charge({ ...ask(subscriber, 1), worstCaseDeliveredUnits: 3n });
  expect(charged.outcome.case).toBe('admitted');
  const beyond = await operations().charge({ ...ask(subscriber, 3), worstCaseDeliveredUnits: 1n });
  expect(beyond.outcome).toMatchObject({ case: 'refused', value: { admissibleDeliveredUnits: 2n } });
});

test('the record of a refusal has the requested units, so that it can be checked', async () => {
  const subscriber = await createSubscriber(served.ledger.pool, { windowDeliveredUnits: 1n });
  const refused = { ...ask(subscriber, 1), worstCaseDeliveredUnits: 2n };
  await operations().charge(refused);
  const { rows } = await served.ledger.owner.query(
    'select request_units, delivered_units from hold where operation_id = $1',
    [refused.operationId],
  );
  expect(rows).toEqual([{ request_units: 1n, delivered_units: 2n }]);
});

test('a subscription that lapsed is refused without an allowance', async () => {
  const subscriber = await createSubscriber(served.ledger.pool, {}, 'canceled');
  const { outcome } = await operations().reserve(ask(subscriber, 1));
  if (outcome.case !== 'refused') throw new Error('it was admitted');
  expect(outcome.value.failure?.code).toBe(FailureCode.SUBSCRIPTION_REQUIRED);
  expect(outcome.value.allowance).toBeUndefined();
});

test('a release returns the state of the hold', async () => {
  const subscriber = await createSubscriber(served.ledger.pool);
  const [held, posted, unknown] = [ask(subscriber, 1), ask(subscriber, 1), ask(subscriber, 1)];
  await operations().reserve(held);
  await operations().charge(posted);
  const states = [];
  for (const { operationId } of [held, posted, unknown])
    states.push((await operations().release(named(operationId))).state);
  expect(states).toEqual([HoldState.VOID, HoldState.POSTED, HoldState.REFUSED]);
  const late = await operations().reserve(unknown);
  expect(late.outcome).toMatchObject({ case: 'refused', value: { failure: { code: FailureCode.USAGE_EXPIRED } } });
});

test('a fault of the caller is an internal error, not a refusal', async () => {
  const subscriber = await createSubscriber(served.ledger.pool);
  const reserve = ask(subscriber, 1);
  await operations().reserve(reserve);
  const settled = operations().settle({ ...named(reserve.operationId), units: units(1, 2) });
  await expect(settled).rejects.toMatchObject({ code: Code.Internal });
  await expect(operations().settle({ ...named(nextOperationId()), units: units(1, 0) })).rejects.toMatchObject({
    code: Code.Internal,
  });
});

test.each([{ operationId: 0n }, { accountId: 0n }, { units: undefined }, { units: units(-1, 0) }])(
  'bad input is refused as such: %o',
  async (bad) => {
    const request = { ...ask({ accountId: 1n, subscriptionId: 1n }, 1), ...bad };
    const error = await operations()
      .reserve(request as typeof request & { units: ReturnType<typeof units> })
      .catch((reason) => reason);
    expect(failureOf(error)?.code).toBe(FailureCode.INVALID_REQUEST);
  },
);

test('old holds are listed, oldest first, and settled ones are not', async () => {
  const subscriber = await createSubscriber(served.ledger.pool);
  const [first, second, settled] = [ask(subscriber, 1), ask(subscriber, 2), ask(subscriber, 3)];
  for (const reserve of [first, second, settled]) await operations().reserve(reserve);
  await operations().settle({ ...named(settled.operationId), units: units(1, 0) });
  const { holds } = await operations().listHolds({ limit: 1_000 });
  const own = holds.filter(({ subscriptionId }) => subscriptionId === subscriber.subscriptionId);
  expect(own.map(({ operationId, state }) => [operationId, state])).toEqual([
    [first.operationId, HoldState.HELD],
    [second.operationId, HoldState.HELD],
  ]);
  const olderThan = own[0]?.createdAt;
  expect((await operations().listHolds(olderThan ? { olderThan } : {})).holds).not.toContainEqual(own[1]);
});

test('an unknown id is not found', async () => {
  const [gateway, admin] = [served.service('gateway'), served.admin('admin')];
  const refusals = await Promise.allSettled([
    gateway.getAllowance({ subscriptionId: 999_999n }),
    gateway.getUsageReport({ subscriptionId: 999_999n }),
    admin.getSubscription({ accountId: 999_999n }),
    admin.getSubscription({ subscriptionId: 999_999n }),
    admin.issueCredential({ accountId: 999_999n }),
    admin.revokeCredential({ credentialId: 999_999n }),
    admin.rotateCredential({ credentialId: 999_999n }),
    admin.verifyLedger({ subscriptionId: 999_999n }),
    admin.createSubscription({ accountId: 999_999n, plan: 'builder' }),
    admin.updateSubscription({ subscriptionId: 999_999n }),
  ]);
  for (const refusal of refusals)
    expect(refusal.status === 'rejected' && failureOf(refusal.reason)?.code).toBe(FailureCode.NOT_FOUND);
});
