import { PassThrough } from 'node:stream';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type PepperState, PepperStateSchema } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NEW_PEPPER, OLD_PEPPER, type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { digestOf } from '../credential/pepper.ts';
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

test('a token that cannot be a key is refused without a query', async () => {
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

test('a test account gets only test keys', async () => {
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

function nameOf(state: PepperState): string | undefined {
  return PepperStateSchema.value[state]?.localName;
}

async function storedAt(peppers: string, accountId: bigint) {
  await using at = await served.serveAgain(peppers);
  const { credentials } = await at.admin('admin').listCredentials({ accountId });
  const { rows } = await served.ledger.owner.query<{ pepper: string; moved_pepper: string | null }>(
    'select pepper, moved_pepper from credential where account_id = $1 order by id',
    [accountId],
  );
  return {
    rows: rows.map((row) => [row.pepper, row.moved_pepper]),
    said: credentials.map(({ pepper, pepperState }) => [pepper, nameOf(pepperState)]),
  };
}

async function use(bearer: string, peppers: string): Promise<void> {
  await using at = await served.serveAgain(peppers);
  await at.service('gateway').authenticate({ bearer });
}

const THIRD_PEPPER = `third=${'0d'.repeat(32)}`;

test('a key moves to the newest pepper when it is used, and then needs no older one, however many live', async () => {
  const accountId = await createAccount();
  const { token } = await issue(accountId);
  const both = `${NEW_PEPPER},${OLD_PEPPER}`;
  expect(await storedAt(both, accountId)).toEqual({ rows: [['old', null]], said: [['old', 'OLD']] });
  await use(token, both);
  expect(await storedAt(both, accountId)).toEqual({ rows: [['old', 'new']], said: [['new', 'NEWEST']] });
  await use(token, both);
  const all = `${THIRD_PEPPER},${NEW_PEPPER},${OLD_PEPPER}`;
  expect((await storedAt(all, accountId)).said).toEqual([['new', 'OLD']]);
  await use(token, all);
  expect(await storedAt(all, accountId)).toEqual({ rows: [['new', 'third']], said: [['third', 'NEWEST']] });
  await use(token, THIRD_PEPPER);
  expect(await storedAt(THIRD_PEPPER, accountId)).toEqual({ rows: [['third', null]], said: [['third', 'NEWEST']] });
  const { rows } = await served.ledger.owner.query<{ digest: Buffer }>(
    'select digest from credential where account_id = $1',
    [accountId],
  );
  expect(rows[0]?.digest).toEqual(digestOf(token, { name: 'third', secret: Buffer.alloc(32, 0x0d) }).digest);
});

test('a key that has moved is taken by processes that do not know the newest pepper, and they move it nowhere', async () => {
  const accountId = await createAccount();
  const { token } = await issue(accountId);
  await use(token, `${NEW_PEPPER},${OLD_PEPPER}`);
  await use(token, OLD_PEPPER);
  const stored = await storedAt(NEW_PEPPER, accountId);
  expect(stored).toEqual({ rows: [['old', 'new']], said: [['new', 'NEWEST']] });
});

test('a key that is issued while two peppers live is taken by processes that know either', async () => {
  const accountId = await createAccount();
  await using rotating = await served.serveAgain(`${NEW_PEPPER},${OLD_PEPPER}`);
  const { token } = await rotating.admin('admin').issueCredential({ accountId, label: '' });
  await served.service('gateway').authenticate({ bearer: token });
  await use(token, NEW_PEPPER);
});

test('uses that meet at several processes move a key once', async () => {
  const accountId = await createAccount();
  const { token } = await issue(accountId);
  await Promise.all(Array.from({ length: 6 }, () => use(token, `${NEW_PEPPER},${OLD_PEPPER}`)));
  expect((await storedAt(NEW_PEPPER, accountId)).rows).toEqual([['old', 'new']]);
});

test('removing a pepper too early is reported with the keys that need it, and they work again once it is back', async () => {
  const accountId = await createAccount();
  const { token, id } = await issue(accountId);
  const lines = new PassThrough();
  let log = '';
  lines.on('data', (chunk) => {
    log += chunk;
  });
  await using without = await served.serveAgain(NEW_PEPPER, createLogger('ledger', 'info', lines));
  await refusalOf(token, without);
  expect(log).toContain('CES_LEDGER_PEPPERS lacks the pepper');
  expect(log).toContain('"peppers":["old"');
  const { credentials } = await without.admin('admin').listCredentials({ needsOldPepper: true, afterId: id - 1n });
  expect(credentials.map((one) => [one.id, nameOf(one.pepperState)])).toContainEqual([id, 'MISSING']);
  await use(token, `${NEW_PEPPER},${OLD_PEPPER}`);
  await without.service('gateway').authenticate({ bearer: token });
  const left = await without.admin('admin').listCredentials({ needsOldPepper: true });
  expect(left.credentials.map((one) => one.id)).not.toContain(id);
});

test('a key ends when its time is over, as if it were revoked', async () => {
  const accountId = await createAccount();
  const expiresAt = new Date(Date.now() + 60_000);
  const { token, credential } = await served
    .admin('admin')
    .issueCredential({ accountId, expiresAt: timestampFromDate(expiresAt) });
  expect(credential?.expiresAt && timestampDate(credential.expiresAt)).toEqual(expiresAt);
  const { validForMs } = await served.service('gateway').authenticate({ bearer: token });
  expect(Number(validForMs)).toBeGreaterThan(50_000);
  expect(Number(validForMs)).toBeLessThanOrEqual(60_000);
  const past = `update credential set created_at = created_at - interval '1 hour',
                expires_at = expires_at - interval '1 hour' where account_id = $1`;
  await served.ledger.owner.query(past, [accountId]);
  const refusal = await refusalOf(token);
  expect(failureOf(refusal)).toEqual(failureOf(await refusalOf(newToken(false))));
  const open = await issue(accountId);
  expect((await served.service('gateway').authenticate({ bearer: open.token })).validForMs).toBeUndefined();
});

test('an expiry in the past, or beyond all calendars, is refused', async () => {
  const accountId = await createAccount();
  for (const seconds of [0n, BigInt(Math.floor(Date.now() / 1000)), 400_000_000_000n, -62_135_596_801n]) {
    const issued = served.admin('admin').issueCredential({ accountId, expiresAt: { seconds, nanos: 0 } });
    expect(failureOf(await issued.catch((reason) => reason))?.code).toBe(FailureCode.INVALID_REQUEST);
  }
});

test('a key has the scopes it was issued with, all of them where none is named, and its successor the same', async () => {
  const accountId = await createAccount();
  const scopesOf = async (bearer: string) => {
    const { principal } = await served.service('gateway').authenticate({ bearer });
    return principal?.scopes;
  };
  expect(await scopesOf((await issue(accountId)).token)).toEqual(['search', 'lookup', 'usage']);
  const some = await served.admin('admin').issueCredential({ accountId, scopes: ['usage', 'lookup'] });
  expect(await scopesOf(some.token)).toEqual(['lookup', 'usage']);
  const credentialId = some.credential?.id ?? 0n;
  const next = await served.admin('admin').rotateCredential({ credentialId });
  expect(next.credential?.scopes).toEqual(['lookup', 'usage']);
  expect(next.credential?.expiresAt).toBeUndefined();
  for (const scopes of [['admin'], ['search', 'search'], ['']]) {
    const refused = served.admin('admin').issueCredential({ accountId, scopes });
    expect(failureOf(await refused.catch((reason) => reason))?.code).toBe(FailureCode.INVALID_REQUEST);
  }
});

test('the successor of a key that ends lives as long again, or as long as is said', async () => {
  const accountId = await createAccount();
  const lifeMs = 3_600_000;
  const old = await served
    .admin('admin')
    .issueCredential({ accountId, expiresAt: timestampFromDate(new Date(Date.now() + lifeMs)) });
  await served.ledger.owner.query(
    `update credential set created_at = created_at - interval '59 minutes',
                           expires_at = expires_at - interval '59 minutes' where account_id = $1`,
    [accountId],
  );
  const credentialId = old.credential?.id ?? 0n;
  const next = await served.admin('admin').rotateCredential({ credentialId });
  const ends = next.credential?.expiresAt && timestampDate(next.credential.expiresAt).getTime();
  expect(Math.abs((ends ?? 0) - Date.now() - lifeMs)).toBeLessThan(60_000);
  const soon = new Date(Date.now() + 120_000);
  const said = await served.admin('admin').rotateCredential({ credentialId, expiresAt: timestampFromDate(soon) });
  expect(said.credential?.expiresAt && timestampDate(said.credential.expiresAt)).toEqual(soon);
});

test('the lifetime of a successor is counted by the clock that ends it, however wrong the clock of the process is', async () => {
  const expiresAt = timestampFromDate(new Date(Date.now() + 3_600_000));
  const { credential } = await served.admin('admin').issueCredential({ accountId: await createAccount(), expiresAt });
  const trueNow = Date.now.bind(Date);
  const wrong = vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + 86_400_000);
  const next = await served
    .admin('admin')
    .rotateCredential({ credentialId: credential?.id ?? 0n })
    .finally(() => wrong.mockRestore());
  const ends = next.credential?.expiresAt && timestampDate(next.credential.expiresAt).getTime();
  expect(Math.abs((ends ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
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
