import type { Principal } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import type { PrincipalVersion } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEW_PEPPER, OLD_PEPPER, type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';
import { identityOf } from '../../test-support/test-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

interface Subject {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
  readonly credentialId: bigint;
  readonly token: string;
}

async function createSubject(): Promise<Subject> {
  const admin = served.admin('admin');
  const { account } = await admin.createAccount({ name: 'A subscriber' });
  const accountId = account?.id ?? 0n;
  const { subscription } = await admin.createSubscription({ accountId, plan: 'professional' });
  const { token, credential } = await admin.issueCredential({ accountId });
  return { accountId, subscriptionId: subscription?.id ?? 0n, credentialId: credential?.id ?? 0n, token };
}

async function answerOfCase({ token }: Subject): Promise<Principal | undefined> {
  const { principal } = await served
    .service('gateway')
    .authenticate({ bearer: token })
    .catch(() => ({ principal: undefined }));
  return principal;
}

async function versionNow(): Promise<PrincipalVersion> {
  const { now } = await served.service('gateway').listPrincipalChanges({});
  if (!now) throw new Error('no version');
  return now;
}

const changesSince = (since: PrincipalVersion) => served.service('gateway').listPrincipalChanges({ since });

const afterRestore = () => served.restores().afterRestore({});

const sql = (text: string, id: bigint) => served.ledger.owner.query(text, [id]);

const CHANGES: Readonly<Record<string, (subject: Subject) => Promise<unknown>>> = {
  revocation: ({ credentialId }) => served.admin('admin').revokeCredential({ credentialId }),
  'new status': ({ subscriptionId: id }) =>
    served.admin('admin').updateSubscription({ subscriptionId: id, status: 'past_due' }),
  'new plan': ({ subscriptionId: id }) =>
    served.admin('admin').updateSubscription({ subscriptionId: id, plan: 'builder' }),
  'own page limit': ({ subscriptionId: id }) =>
    served.admin('admin').updateSubscription({ subscriptionId: id, ownLimits: { pageLimit: 7 } }),
  'scopes by hand': ({ credentialId }) => sql("update credential set scopes = '{usage}' where id = $1", credentialId),
  'several changes in one statement': ({ accountId }) =>
    served.ledger.owner.query(
      `with mine as (select ${accountId}::bigint as id), gone as (delete from subscription where account_id = ${accountId})
       update credential set scopes = '{lookup}' from mine where account_id = mine.id`,
    ),
  'expiry by hand': ({ credentialId }) =>
    sql(
      `update credential set created_at = created_at - interval '2 hours', expires_at = now() - interval '1 hour'
       where id = $1`,
      credentialId,
    ),
  'another digest by hand': ({ credentialId }) =>
    sql("update credential set digest = sha256('another') where id = $1", credentialId),
  'another account by hand': async ({ credentialId }) => {
    const other = await createSubject();
    await served.ledger.owner.query('update credential set account_id = $2 where id = $1', [
      credentialId,
      other.accountId,
    ]);
  },
  'deletion of the key': ({ credentialId }) => sql('delete from credential where id = $1', credentialId),
  'deletion of the subscription': ({ subscriptionId }) => sql('delete from subscription where id = $1', subscriptionId),
};

test.each(Object.entries(CHANGES))(
  '%s is listed with its account to readers of an earlier version',
  async (_, change) => {
    const [subject, bystander] = [await createSubject(), await createSubject()];
    const { version: read } = await served.service('gateway').authenticate({ bearer: subject.token });
    const before = await answerOfCase(subject);
    if (!read) throw new Error('no version');
    expect(await changesSince(read)).toMatchObject({ now: read, everything: false, accountIds: [] });
    await change(subject);
    expect(await answerOfCase(subject)).not.toEqual(before);
    const { now, accountIds, everything } = await changesSince(read);
    expect(everything).toBe(false);
    expect(accountIds).toContain(subject.accountId);
    expect(accountIds).not.toContain(bystander.accountId);
    expect(now?.version).toBeGreaterThan(read.version);
    expect(await changesSince(await versionNow())).toMatchObject({ everything: false, accountIds: [] });
  },
);

test('a first subscription is listed, because callers without one have cached that there is none', async () => {
  const admin = served.admin('admin');
  const { account } = await admin.createAccount({ name: 'new' });
  const since = await versionNow();
  await admin.createSubscription({ accountId: account?.id ?? 0n, plan: 'builder' });
  expect((await changesSince(since)).accountIds).toEqual([account?.id]);
});

test('a page limit of a plan may concern anyone', async () => {
  const subject = await createSubject();
  const since = await versionNow();
  await served.admin('admin').updatePlan({ name: 'professional', limits: { windowRequestUnits: 241n } });
  expect(await changesSince(since)).toMatchObject({ now: since, everything: false, accountIds: [] });
  await served.admin('admin').updatePlan({ name: 'professional', limits: { pageLimit: 49 } });
  expect(await answerOfCase(subject)).toMatchObject({ pageLimit: 49 });
  expect(await changesSince(since)).toMatchObject({ everything: true, accountIds: [] });
  expect(await changesSince(await versionNow())).toMatchObject({ everything: false });
});

describe('no version is raised by', () => {
  const SAME: Readonly<Record<string, (subject: Subject) => Promise<unknown>>> = {
    'a new key': ({ accountId }) => served.admin('admin').issueCredential({ accountId }),
    'a rotation': ({ credentialId }) => served.admin('admin').rotateCredential({ credentialId }),
    'limits that the ledger judges itself': ({ subscriptionId }) =>
      served.admin('admin').updateSubscription({ subscriptionId, ownLimits: { windowRequestUnits: 3n } }),
    'the status that it has': ({ subscriptionId }) =>
      served.admin('admin').updateSubscription({ subscriptionId, status: 'active' }),
    'a charge': ({ accountId, subscriptionId }) =>
      served.service('operations').charge({
        operationId: 1n << 20n,
        operationIdentity: identityOf(1n << 20n),
        accountId,
        subscriptionId,
        units: { requestUnits: 1n, deliveredUnits: 1n },
      }),
    'a use, which moves the key to the newest pepper': async ({ token }) => {
      await using at = await served.serveAgain(`${NEW_PEPPER},${OLD_PEPPER}`);
      await at.service('gateway').authenticate({ bearer: token });
    },
  };
  test.each(Object.entries(SAME))('%s', async (_, change) => {
    const subject = await createSubject();
    const since = await versionNow();
    await change(subject);
    expect(await changesSince(since)).toMatchObject({ now: since, everything: false, accountIds: [] });
  });
});

test('a rolled-back change is not listed, in part or whole', async () => {
  const [subject, other] = [await createSubject(), await createSubject()];
  const since = await versionNow();
  const client = await served.ledger.owner.connect();
  const pause = 'update subscription set status = $2 where id = $1';
  try {
    await client.query('begin');
    await client.query(pause, [subject.subscriptionId, 'paused']);
    await client.query('set constraints all immediate');
    await client.query('rollback');
    expect(await changesSince(since)).toMatchObject({ now: since, accountIds: [] });
    await client.query('begin');
    await client.query('set constraints all immediate');
    await client.query('savepoint before');
    await client.query(pause, [subject.subscriptionId, 'paused']);
    await client.query('rollback to before');
    await client.query(pause, [other.subscriptionId, 'paused']);
    await client.query('commit');
  } finally {
    client.release(true);
  }
  const { now, accountIds } = await changesSince(since);
  expect(accountIds).toEqual([other.accountId]);
  expect(now?.version).toBe(since.version + 1n);
});

test('versions become visible in order: a later change waits for an earlier one to end, without deadlocks', async () => {
  const subjects = await Promise.all(Array.from({ length: 12 }, createSubject));
  const since = await versionNow();
  const seen: PrincipalVersion[] = [];
  let changing = true;
  const watch = async () => {
    while (changing) {
      const { now, accountIds } = await changesSince(since);
      if (!now) throw new Error('no version');
      // Every change up to the version is visible. Each change is of a different account until all
      // have had one.
      const least = Math.min(Number(now.version - since.version), subjects.length);
      expect(accountIds.length).toBeGreaterThanOrEqual(least);
      seen.push(now);
    }
  };
  const change = async ({ subscriptionId, credentialId }: Subject, at: number) => {
    await served.admin('admin').updateSubscription({ subscriptionId, status: 'past_due' });
    if (at % 2 === 0) await served.admin('admin').revokeCredential({ credentialId });
    await served.admin('admin').updatePlan({ name: 'builder', limits: { windowRequestUnits: BigInt(60 + at) } });
  };
  const watching = watch();
  try {
    for (const subject of subjects)
      await served.admin('admin').updateSubscription({ subscriptionId: subject.subscriptionId, status: 'paused' });
    await Promise.all(subjects.map(change));
  } finally {
    changing = false;
  }
  await watching;
  const versions = seen.map(({ version }) => version);
  expect(versions).toEqual(versions.toSorted((a, b) => Number(a - b)));
  expect((await changesSince(since)).now?.version).toBe(since.version + 12n + 12n + 6n);
});

test('many changes in one transaction raise one version; too many to list mean that all may have changed', async () => {
  const since = await versionNow();
  await served.ledger.owner.query(`
    with made as (insert into account (name, test_mode) select 'many', false from generate_series(1, 20000) returning id)
    insert into subscription (account_id, test_mode, plan, status) select id, false, 'builder', 'active' from made`);
  const { now, everything } = await changesSince(since);
  expect([now?.version, everything]).toEqual([since.version + 1n, true]);
});

test('after another history, server, key or a future version all may have changed', async () => {
  const before = await versionNow();
  for (const since of [
    { ...before, epoch: 'another' },
    { ...before, version: before.version + 1n },
  ])
    expect(await changesSince(since)).toMatchObject({ everything: true, now: before });
  await using other = await served.serveAgain(NEW_PEPPER);
  const elsewhere = await other.service('gateway').listPrincipalChanges({ since: before });
  expect(elsewhere.everything).toBe(true);
  expect(elsewhere.now?.epoch).not.toBe(before.epoch);
  await afterRestore();
  const restored = await changesSince(before);
  expect(restored.everything).toBe(true);
  expect(restored.now?.epoch).not.toBe(before.epoch);
});

test('the service reads versions and raises them only by its changes', async () => {
  for (const statement of [
    'update principal_version set version = 0',
    'delete from principal_change',
    'insert into principal_change values (1, 1)',
    'update principal_version set everything_at = 1',
  ])
    await expect(served.ledger.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
});
