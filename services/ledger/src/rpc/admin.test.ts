import { timestampDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { identityOf, nextOperationId, units } from '../../test-support/test-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

function admin() {
  return served.admin('admin');
}

async function createAccount(name = 'A subscriber', testMode = false): Promise<bigint> {
  return (await admin().createAccount({ name, testMode })).account?.id ?? 0n;
}

async function createSubscription(accountId: bigint, plan = 'builder') {
  const { subscription } = await admin().createSubscription({ accountId, plan });
  if (!subscription) throw new Error('no subscription');
  return subscription;
}

function codesOf(calls: readonly Promise<unknown>[]): Promise<readonly (FailureCode | undefined)[]> {
  return Promise.all(calls.map(async (call) => failureOf(await call.catch((reason) => reason))?.code));
}

test('the plans have the numbers of the decisions', async () => {
  const { plans } = await admin().listPlans({});
  expect(plans).toMatchObject([
    {
      name: 'builder',
      limits: {
        ...{ windowSeconds: 18_000n, pageLimit: 25 },
        ...{ windowRequestUnits: 60n, weekRequestUnits: 500n, periodRequestUnits: 1_500n },
        ...{ windowDeliveredUnits: 600n, weekDeliveredUnits: 5_000n, periodDeliveredUnits: 15_000n },
      },
    },
    {
      name: 'professional',
      limits: {
        ...{ windowSeconds: 18_000n, pageLimit: 50 },
        ...{ windowRequestUnits: 240n, weekRequestUnits: 2_000n, periodRequestUnits: 6_000n },
        ...{ windowDeliveredUnits: 2_400n, weekDeliveredUnits: 20_000n, periodDeliveredUnits: 60_000n },
      },
    },
  ]);
});

test('accounts are listed with their subscriptions, page by page', async () => {
  const first = await createAccount('First');
  const second = await createAccount('Second', true);
  const subscription = await createSubscription(second);
  const { accounts } = await admin().listAccounts({ afterId: first - 1n, limit: 1 });
  expect(accounts).toMatchObject([{ id: first, name: 'First', testMode: false }]);
  expect(accounts[0]?.subscription).toBeUndefined();
  const next = await admin().listAccounts({ afterId: first, limit: 1 });
  expect(next.accounts).toMatchObject([{ id: second, testMode: true, subscription: { id: subscription.id } }]);
});

test('an account has one subscription, active unless said otherwise, and a month long', async () => {
  const accountId = await createAccount();
  const { id, status, currentPeriodStart, currentPeriodEnd } = await createSubscription(accountId);
  expect(status).toBe('active');
  if (!currentPeriodStart || !currentPeriodEnd) throw new Error('no period');
  const days = (timestampDate(currentPeriodEnd).getTime() - timestampDate(currentPeriodStart).getTime()) / 86_400_000;
  expect(days).toBeGreaterThanOrEqual(28);
  expect(days).toBeLessThanOrEqual(31);
  const second = admin().createSubscription({ accountId, plan: 'builder' });
  expect(await codesOf([second])).toEqual([FailureCode.INVALID_REQUEST]);
  expect((await admin().getSubscription({ accountId })).subscription?.id).toBe(id);
  expect((await admin().getSubscription({ subscriptionId: id })).subscription?.accountId).toBe(accountId);
});

test('own numbers replace numbers of the plan one by one, and are dropped on request', async () => {
  const { id: subscriptionId } = await createSubscription(await createAccount(), 'professional');
  const set = await admin().updateSubscription({
    subscriptionId,
    ownLimits: { windowRequestUnits: 7n, windowSeconds: 60n },
  });
  expect(set.subscription).toMatchObject({
    ownLimits: { windowRequestUnits: 7n, windowSeconds: 60n },
    effectiveLimits: { windowRequestUnits: 7n, windowSeconds: 60n, weekRequestUnits: 2_000n, pageLimit: 50 },
  });
  const added = await admin().updateSubscription({ subscriptionId, plan: 'builder', ownLimits: { pageLimit: 3 } });
  expect(added.subscription?.effectiveLimits).toMatchObject({
    windowRequestUnits: 7n,
    weekRequestUnits: 500n,
    pageLimit: 3,
  });
  const replaced = await admin().updateSubscription({
    ...{ subscriptionId, replaceLimits: true },
    ownLimits: { weekDeliveredUnits: 0n },
  });
  expect(replaced.subscription?.ownLimits).toEqual({ $typeName: 'ces.ledger.v1.Limits', weekDeliveredUnits: 0n });
});

test('a changed plan changes every subscription without a number of its own', async () => {
  const { id: subscriptionId } = await createSubscription(await createAccount(), 'professional');
  const { plan } = await admin().updatePlan({ name: 'professional', limits: { windowRequestUnits: 241n } });
  expect(plan?.limits).toMatchObject({ windowRequestUnits: 241n, weekRequestUnits: 2_000n });
  const { allowance } = await served.service('admin').getAllowance({ subscriptionId });
  expect(allowance?.windowLimit).toBe(241n);
  await admin().updatePlan({ name: 'professional', limits: { windowRequestUnits: 240n } });
});

test('invalid input and forbidden changes are refused', async () => {
  const sandbox = await createAccount('Sandbox', true);
  const { id: subscriptionId } = await createSubscription(await createAccount());
  const codes = await codesOf([
    admin().createAccount({ name: '' }),
    admin().createAccount({ name: 'x'.repeat(201) }),
    admin().listAccounts({ limit: 1_001 }),
    admin().listMovements({ limit: 5_001 }),
    admin().createSubscription({ accountId: sandbox, plan: 'professional' }),
    admin().createSubscription({ accountId: sandbox, plan: 'builder', ownLimits: { pageLimit: 50 } }),
    admin().createSubscription({ accountId: sandbox, plan: 'free' }),
    admin().updateSubscription({ subscriptionId, status: 'asleep' }),
    admin().updateSubscription({ subscriptionId, ownLimits: { windowSeconds: 0n } }),
    admin().updateSubscription({ subscriptionId, ownLimits: { weekRequestUnits: -1n } }),
    admin().updatePlan({ name: 'free', limits: {} }),
    admin().issueCredential({ accountId: sandbox, label: 'x'.repeat(201) }),
  ]);
  for (const code of codes) expect(code).toBe(FailureCode.INVALID_REQUEST);
});

test('every change leaves an audit row with who and what, and no secret', async () => {
  const accountId = await createAccount('Audited');
  const { id: subscriptionId } = await createSubscription(accountId);
  await admin().updateSubscription({ subscriptionId, status: 'paused' });
  await admin().updatePlan({ name: 'builder', limits: {} });
  const { credential, token } = await admin().issueCredential({ accountId, label: 'one' });
  const credentialId = credential?.id ?? 0n;
  const rotated = await admin().rotateCredential({ credentialId });
  await admin().revokeCredential({ credentialId });
  await admin().revokeCredential({ credentialId });
  const { rows } = await served.ledger.owner.query<{ caller: string; action: string; detail: unknown }>(
    'select caller, action, detail from audit order by id',
  );
  const from = rows.findIndex(({ detail }) => JSON.stringify(detail).includes('Audited'));
  expect(rows.slice(from).map(({ action }) => action)).toEqual([
    'CreateAccount',
    'CreateSubscription',
    'UpdateSubscription',
    'UpdatePlan',
    'IssueCredential',
    'RotateCredential',
    'RevokeCredential',
  ]);
  expect(new Set(rows.map(({ caller }) => caller))).toEqual(new Set(['admin']));
  expect(JSON.stringify(rows)).not.toContain(token.slice(13));
  expect(JSON.stringify(rows)).not.toContain(rotated.token.slice(13));
});

test('an audit row says which operator changed it, in which role and why', async () => {
  const { account } = await served.olga('the contract was signed').createAccount({ name: 'Named' });
  const { entries } = await served.audit().listAudit({ limit: 1 });
  expect(entries).toMatchObject([
    { who: 'olga', role: 'operator', reason: 'the contract was signed', action: 'CreateAccount' },
  ]);
  expect(JSON.parse(entries[0]?.detailJson ?? '')).toEqual({
    subject_id: String(account?.id),
    name: 'Named',
    testMode: false,
  });
});

test('audit rows are listed page by page, newest first, those from before operators had names too', async () => {
  await served.ledger.owner.query(
    `insert into audit (caller, action, subject_id, detail) values ('admin', 'CreateAccount', '1', '{}')`,
  );
  const all = (await served.audit().listAudit({})).entries;
  expect(all[0]).toMatchObject({ who: 'admin', role: '', reason: '', action: 'CreateAccount' });
  const [newest] = all;
  const next = await served.audit().listAudit({ beforeId: newest?.id ?? 0n, limit: 2 });
  expect(next.entries).toEqual(all.slice(1, 3));
  const refused = [served.audit().listAudit({ limit: 1_001 }), served.audit().listAudit({ beforeId: -1n })];
  expect(await codesOf(refused)).toEqual([FailureCode.INVALID_REQUEST, FailureCode.INVALID_REQUEST]);
});

test('movements are listed by operation with their entries, and the ledger verifies', async () => {
  const accountId = await createAccount();
  const { id: subscriptionId } = await createSubscription(accountId);
  const operations = served.service('operations');
  const [charged, held] = [nextOperationId(), nextOperationId()];
  const ask = { accountId, subscriptionId, credentialId: 0n };
  await operations.charge({
    ...ask,
    operationId: charged,
    operationIdentity: identityOf(charged),
    units: units(1, 2, 1),
  });
  await operations.reserve({ ...ask, operationId: held, operationIdentity: identityOf(held), units: units(1, 9) });
  const { movements } = await admin().listMovements({ afterOperationId: charged - 1n, limit: 2 });
  expect(movements).toMatchObject([
    { hold: { operationId: charged, state: HoldState.POSTED }, entry: { subscriptionId, units: units(1, 2, 1) } },
    { hold: { operationId: held, subscriptionId, state: HoldState.HELD, units: units(1, 9) } },
  ]);
  expect(movements[1]?.entry).toBeUndefined();
  const verified = await admin().verifyLedger({ subscriptionId });
  expect(verified).toMatchObject({ subscriptions: 1n, entries: 1n, holds: 2n, differences: [] });
  await served.ledger.owner.query('update subscription set held_request_units = 0 where id = $1', [subscriptionId]);
  const all = await admin().verifyLedger({});
  expect(all.differences).toMatchObject([
    { subscriptionId, operationId: 0n, description: 'counter of held request units: stored 0, recomputed 1' },
  ]);
  expect(all.subscriptions).toBeGreaterThan(1n);
});
