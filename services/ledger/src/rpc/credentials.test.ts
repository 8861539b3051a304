import { timestampDate } from '@bufbuild/protobuf/wkt';
import { failureOf } from '@ces/chassis/rpc/failure';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEW_PEPPER, OLD_PEPPER, type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { newToken } from '../credential/token.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

async function createAccount(testMode = false): Promise<bigint> {
  const { account } = await served.admin('admin').createAccount({ name: 'A subscriber', testMode });
  return account?.id ?? 0n;
}

async function issue(accountId: bigint, label = '') {
  const { token, credential } = await served.admin('admin').issueCredential({ accountId, label });
  return { token, id: credential?.id ?? 0n, prefix: credential?.prefix };
}

async function refusalOf(bearer: string, from = served): Promise<ConnectError> {
  const error = await from
    .service('gateway')
    .authenticate({ bearer })
    .catch((reason) => reason);
  if (!(error instanceof ConnectError)) throw new Error('the bearer was accepted');
  return error;
}

test('a bearer becomes a principal with plan, status and page limit', async () => {
  const accountId = await createAccount();
  const { subscription } = await served
    .admin('admin')
    .createSubscription({ accountId, plan: 'professional', status: 'past_due' });
  const { token, id, prefix } = await issue(accountId);
  expect(token).toMatch(/^ces_live_/);
  expect(prefix).toBe(token.slice(0, 13));
  const { principal } = await served.service('gateway').authenticate({ bearer: token });
  expect(principal).toMatchObject({
    ...{ accountId, subscriptionId: subscription?.id, credentialId: id, testMode: false },
    ...{ plan: 'professional', subscriptionStatus: 'past_due', pageLimit: 50 },
  });
});

test('an account without a subscription is answered as incomplete', async () => {
  const { token } = await issue(await createAccount());
  const { principal } = await served.service('operations').authenticate({ bearer: token });
  expect(principal).toMatchObject({ subscriptionId: 0n, subscriptionStatus: 'incomplete', plan: '', pageLimit: 0 });
});

test('missing, malformed, mistyped, unknown and revoked keys are refused with the very same bytes', async () => {
  const { token, id } = await issue(await createAccount());
  const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
  await served.admin('admin').revokeCredential({ credentialId: id });
  const refusals = await Promise.all(
    ['', 'nonsense', mistyped, newToken(false), token].map((bearer) => refusalOf(bearer)),
  );
  for (const refusal of refusals) {
    expect(refusal.code).toBe(Code.Unauthenticated);
    expect(failureOf(refusal)).toEqual(failureOf(refusals[0]));
    expect(refusal.message).toBe(refusals[0]?.message);
  }
});

test('what cannot be a key is refused without asking the database', async () => {
  const { token } = await issue(await createAccount());
  await served.ledger.owner.query('alter table credential rename to credential_away');
  try {
    const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const bearer of ['', 'nonsense', mistyped]) expect((await refusalOf(bearer)).code).toBe(Code.Unauthenticated);
    expect((await refusalOf(token)).code).toBe(Code.Internal);
  } finally {
    await served.ledger.owner.query('alter table credential_away rename to credential');
  }
});

test('a test account gets test keys alone', async () => {
  const accountId = await createAccount(true);
  await served.admin('admin').createSubscription({ accountId, plan: 'builder' });
  const { token } = await issue(accountId);
  expect(token).toMatch(/^ces_test_/);
  const { principal } = await served.service('gateway').authenticate({ bearer: token });
  expect(principal).toMatchObject({ testMode: true, plan: 'builder', pageLimit: 25 });
});

test('a key rotates by overlap: the old one works until it is revoked', async () => {
  const accountId = await createAccount();
  const old = await issue(accountId, 'production');
  const { token, credential } = await served.admin('admin').rotateCredential({ credentialId: old.id });
  expect(credential?.label).toBe('production');
  for (const bearer of [old.token, token]) await served.service('gateway').authenticate({ bearer });
  const revoke = () => served.admin('admin').revokeCredential({ credentialId: old.id });
  const [first, second] = [await revoke(), await revoke()];
  expect(second.credential?.revokedAt).toEqual(first.credential?.revokedAt);
  await refusalOf(old.token);
  await served.service('gateway').authenticate({ bearer: token });
  await expect(served.admin('admin').rotateCredential({ credentialId: old.id })).rejects.toThrow('revoked');
});

test('two peppers live while one replaces the other', async () => {
  const { token } = await issue(await createAccount());
  await using rotating = await served.serveAgain(`${NEW_PEPPER},${OLD_PEPPER}`);
  await rotating.service('gateway').authenticate({ bearer: token });
  const { token: newer } = await rotating
    .admin('admin')
    .issueCredential({ accountId: await createAccount(), label: '' });
  await refusalOf(newer);
  await using rotated = await served.serveAgain(NEW_PEPPER);
  await rotated.service('gateway').authenticate({ bearer: newer });
  await refusalOf(token, rotated);
});

test('nothing of a key but its prefix is stored', async () => {
  const { token } = await issue(await createAccount(), 'looked for');
  for (const table of ['credential', 'audit']) {
    const { rows } = await served.ledger.owner.query<{ row: string }>(`select t::text as row from ${table} t`);
    for (const { row } of rows) expect(row).not.toContain(token.slice(13));
  }
});

test('the last use is known to the minute', async () => {
  const accountId = await createAccount();
  const { token } = await issue(accountId);
  {
    await using other = await served.serveAgain(OLD_PEPPER);
    await other.service('gateway').authenticate({ bearer: token });
  }
  const { credentials } = await served.admin('admin').listCredentials({ accountId });
  const usedAt = credentials[0]?.lastUsedAt;
  if (!usedAt) throw new Error('no last use');
  const age = Date.now() - timestampDate(usedAt).getTime();
  expect(timestampDate(usedAt).getTime() % 60_000).toBe(0);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(120_000);
});
