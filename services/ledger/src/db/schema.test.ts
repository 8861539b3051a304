import { violatedConstraint } from '@ces/chassis/postgres/pool';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSubscriber,
  createTestLedger,
  nextOperationId,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import { insertAccount } from './account.ts';
import { insertCredential } from './credential.ts';
import { isOperationTaken } from './hold.ts';
import { insertSubscription } from './subscription.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function constraintOf(work: Promise<unknown>): Promise<string | undefined> {
  return await work.then(
    () => undefined,
    (error) => violatedConstraint(error) ?? String(error),
  );
}

function insertHold(subscriptionId: bigint | null, operationId: bigint, state: string): Promise<unknown> {
  return ledger.pool.query(
    'insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units) values ($1, gen_random_uuid(), $2, $3, 1, 0)',
    [operationId, subscriptionId, state],
  );
}

function insertEntry(subscriptionId: bigint, operationId: bigint, settledAt: string): Promise<unknown> {
  return ledger.pool.query(
    `insert into entry (operation_id, subscription_id, settled_at, request_units, delivered_units, fresh_evidence_units)
     values ($1, $2, $3, 1, 0, 0)`,
    [operationId, subscriptionId, settledAt],
  );
}

test('if two connections create a subscription for one account, one wins', async () => {
  const { id: accountId } = await insertAccount(ledger.pool, 'raced for', false);
  const wanted = { accountId, plan: 'builder', status: 'active', ownLimits: {} };
  const constraints = await Promise.all([1, 2].map(() => constraintOf(insertSubscription(ledger.pool, wanted))));
  expect(constraints.sort()).toEqual(['subscription_account_key', undefined]);
});

test('an account that does not exist gets no subscription', async () => {
  const wanted = { accountId: 999_999n, plan: 'builder', status: 'active', ownLimits: {} };
  expect(await insertSubscription(ledger.pool, wanted)).toBeUndefined();
});

test.each([
  { plan: 'professional', ownLimits: {} },
  { plan: 'builder', ownLimits: { windowRequestUnits: 1_000n } },
])("a test account cannot have anything but builder's numbers: %o", async (numbers) => {
  const { id: accountId } = await insertAccount(ledger.pool, 'sandbox', true);
  const made = insertSubscription(ledger.pool, { accountId, status: 'active', ...numbers });
  expect(await constraintOf(made)).toBe('subscription_test_mode_numbers');
});

test('a live account cannot have a test credential, and no two credentials share a digest', async () => {
  const { id: accountId } = await insertAccount(ledger.pool, 'two keys', false);
  const newest = { pepper: 'p', digest: Buffer.alloc(32, 7) };
  const rest = { scopes: ['search'], expiresAt: undefined, former: undefined } as const;
  const credential = { accountId, testMode: false, label: '', ...rest, newest };
  const testPrefix = insertCredential(ledger.pool, { ...credential, prefix: 'ces_test_abcd' });
  expect(await constraintOf(testPrefix)).toBe('credential_prefix_mode');
  const testMode = insertCredential(ledger.pool, { ...credential, testMode: true, prefix: 'ces_test_abcd' });
  expect(await constraintOf(testMode)).toBe('credential_account_fkey');
  await insertCredential(ledger.pool, { ...credential, prefix: 'ces_live_abcd' });
  const twin = insertCredential(ledger.pool, { ...credential, prefix: 'ces_live_efgh' });
  expect(await constraintOf(twin)).toBe('credential_digest_key');
  const former = (fill: number) => ({ pepper: 'o', digest: Buffer.alloc(32, fill) });
  await insertCredential(ledger.pool, { ...credential, prefix: 'ces_live_abcd', former: former(1) });
  const movedTwin = insertCredential(ledger.pool, { ...credential, prefix: 'ces_live_efgh', former: former(2) });
  expect(await constraintOf(movedTwin)).toBe('credential_moved_digest_key');
  const other = { ...credential, prefix: 'ces_live_efgh', newest: { pepper: 'p', digest: Buffer.alloc(32, 9) } };
  for (const [wrong, constraint] of [
    [{ scopes: [] }, 'credential_scopes_known'],
    [{ scopes: ['everything' as 'search'] }, 'credential_scopes_known'],
    [{ expiresAt: new Date(0) }, 'credential_expires_later'],
    [{ former: { ...former(3), pepper: 'p' } }, 'credential_moved_whole'],
  ] as const)
    expect(await constraintOf(insertCredential(ledger.pool, { ...other, ...wrong }))).toBe(constraint);
});

test('if two connections reserve one operation, one wins', async () => {
  const { subscriptionId } = await createSubscriber(ledger.pool);
  const operationId = nextOperationId();
  const constraints = await Promise.all(
    [1, 2].map(() => constraintOf(insertHold(subscriptionId, operationId, 'held'))),
  );
  expect(constraints.sort()).toEqual(['hold_0_pkey', undefined]);
  const later = operationId + (1n << 24n);
  const errors = await Promise.all(
    [1, 2].map(() => insertHold(subscriptionId, later, 'held').then(() => false, isOperationTaken)),
  );
  expect(errors.sort()).toEqual([false, true]);
});

test('a hold is in a known state, names a subscription, and says why it was refused', async () => {
  const { subscriptionId } = await createSubscriber(ledger.pool);
  expect(await constraintOf(insertHold(subscriptionId, nextOperationId(), 'lost'))).toBe('hold_state_known');
  expect(await constraintOf(insertHold(null, nextOperationId(), 'held'))).toBe('hold_subscription_named');
  expect(await constraintOf(insertHold(subscriptionId, nextOperationId(), 'refused'))).toBe('hold_refusal_complete');
});

test('an operation has one entry a month, an entry has a hold, and no two entries of a subscription share an instant', async () => {
  const { subscriptionId } = await createSubscriber(ledger.pool);
  const [first, second] = [nextOperationId(), nextOperationId()];
  for (const operationId of [first, second]) await insertHold(subscriptionId, operationId, 'posted');
  await insertEntry(subscriptionId, first, '2026-01-01T00:00:00.000001Z');
  const again = insertEntry(subscriptionId, first, '2026-01-01T00:00:00.000002Z');
  expect(await constraintOf(again)).toBe('entry_default_operation_idx');
  const sameInstant = insertEntry(subscriptionId, second, '2026-01-01T00:00:00.000001Z');
  expect(await constraintOf(sameInstant)).toMatch(/^entry_default_subscription_id_settled_at/);
  const now = new Date().toISOString();
  const third = nextOperationId();
  expect(await constraintOf(insertEntry(subscriptionId, third, now))).toBe('entry_hold_fkey');
  await insertHold(subscriptionId, third, 'posted');
  await insertEntry(subscriptionId, third, now);
  expect(await constraintOf(insertEntry(subscriptionId, third, new Date().toISOString()))).toMatch(
    /^entry_\d{4}_\d{2}_operation_idx$/,
  );
});

describe('the service cannot', () => {
  test.each([
    ['change an entry', 'update entry set request_units = 0'],
    ['delete an entry', 'delete from entry'],
    ['empty the entries', 'truncate entry'],
    ['delete a hold', 'delete from hold'],
    ['change the units of a hold', 'update hold set request_units = 0'],
    ['change whose credential it is', 'update credential set account_id = 1'],
    ['change the audit', `update audit set caller = ''`],
    ['shorten the audit', 'delete from audit'],
    ['delete an account', 'delete from account'],
  ])('%s', async (_what, statement) => {
    await expect(ledger.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a period', () => {
  test.each([
    ['2026-01-31T10:00:00Z', '2026-02-28T09:59:59.999999Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2026-04-30T10:00:00Z', '2026-04-30T10:00:00Z', '2026-05-31T10:00:00Z'],
    ['2026-01-31T10:00:00Z', '2028-02-29T10:00:00Z', '2028-02-29T10:00:00Z', '2028-03-31T10:00:00Z'],
    ['2026-11-15T23:30:00Z', '2027-01-15T23:29:59Z', '2026-12-15T23:30:00Z', '2027-01-15T23:30:00Z'],
    ['2026-03-08T07:00:00Z', '2026-03-08T07:00:00Z', '2026-03-08T07:00:00Z', '2026-04-08T07:00:00Z'],
  ])('anchored at %s that holds %s runs from %s to %s, in any time zone', async (anchor, instant, start, end) => {
    const client = await ledger.pool.connect();
    try {
      for (const zone of ['UTC', 'America/Toronto', 'Pacific/Kiritimati']) {
        await client.query("select set_config('timezone', $1, false)", [zone]);
        const { rows } = await client.query<{ start: Date; end: Date }>(
          'select period_start($1, $2) as start, period_end($1, $2) as end',
          [anchor, instant],
        );
        expect(rows[0]).toEqual({ start: new Date(start), end: new Date(end) });
      }
    } finally {
      client.release(true);
    }
  });
});
