// @module-tag nightly
import { verifyLedger } from '@ces/cli/verify/verify-ledger';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

// Tests the comparison of `ces ledger verify` on a ledger that real calls have written.
const MAX_HOLD_MS = 3_000_000;

let stack: TestStack;
let owners: Readonly<Record<'operations' | 'ledger', pg.Client>>;
let searched: number;
let subscriptionId: bigint;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(3, 'grain elevator');
  await recordEvidence(stack, companies, observations);
  const connect = async (name: 'operations' | 'ledger') => {
    const client = new pg.Client({ connectionString: stack.databases[name].ownerUrl });
    await client.connect();
    return client;
  };
  owners = { operations: await connect('operations'), ledger: await connect('ledger') };
});
afterAll(async () => {
  for (const client of Object.values(owners)) await client.end();
  await stack[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const subscriber = await createSubscriber(stack);
  subscriptionId = subscriber.subscriptionId;
  const answer = await subscriber.search({ query: 'grain elevator' });
  expect(answer.body.usage.delivered_units).toBe(3);
  searched = answer.body.usage.id;
  const domains = ['northwind1.example', 'northwind2.example', 'nobody.example'];
  await subscriber.lookUp({ domains });
  const post = (path: string, json: unknown) => subscriber.request('POST', path, { json, key: crypto.randomUUID() });
  await post('/api/observations/search', { query: 'grain elevator' });
  await post('/api/observations/lookup', { domains, since: '2020-01-01T00:00:00Z' });
  await expect.poll(undelivered).toBe(0);
  await expect.poll(differences).toEqual([]);
});

/** Operations answers before it marks operations as delivered, in batches. */
async function undelivered(): Promise<number> {
  const { rows } = await owners.operations.query<{ count: number }>(
    `select count(*)::int as count from operation where state <> 'delivered'`,
  );
  return rows[0]?.count ?? 0;
}

async function differences(): Promise<string[]> {
  const peers = { ledger: stack.ledgerAdmin, operations: stack.operationsAdmin };
  const { differences: found } = await verifyLedger(peers, MAX_HOLD_MS, () => new Date());
  return found.map(({ operation_id, description }) => `${operation_id}: ${description}`);
}

const ABOUT: readonly (readonly [string, 'operations' | 'ledger', string, string])[] = [
  [
    'a result that shows a company more than was settled',
    'operations',
    `update result set items = items || '[{"company_id": 999, "observation_ids": [1]}]' where operation_id = $1`,
    'it settled 3 delivered units for 4 companies',
  ],
  [
    'a result that shows a company less',
    'operations',
    'update result set items = items - 0 where operation_id = $1',
    'it settled 3 delivered units for 2 companies',
  ],
  [
    'a result that is gone',
    'operations',
    'delete from result where operation_id = $1',
    'it settled 3 delivered units for 0 companies',
  ],
  [
    'other units of the operation',
    'operations',
    'update operation set delivered_units = 2 where id = $1',
    'operations says units 1/2/0, the ledger 1/3/0',
  ],
  [
    'a charge whose operation is lost, as after a restore of operations to an earlier moment',
    'operations',
    'delete from operation where id = $1',
    'the ledger settled 1/3/0 units, operations has no such operation',
  ],
  [
    'an operation whose charge is lost, as after a restore of the ledger to an earlier moment',
    'ledger',
    `with lost as (delete from entry where operation_id = $1 returning operation_id) update hold set state = 'void' from lost where hold.operation_id = lost.operation_id`,
    'it was delivered, yet the ledger has no entry for it',
  ],
  [
    'other units of an entry',
    'ledger',
    'update entry set delivered_units = 2 where operation_id = $1',
    'operations says units 1/3/0, the ledger 1/2/0',
  ],
  [
    'a hold that is still held beside its entry',
    'ledger',
    `update hold set state = 'held' where operation_id = $1`,
    'its hold is held, and there is an entry',
  ],
];

test.each(ABOUT)('%s is named, by its operation', async (_, database, statement, sentence) => {
  await owners[database].query(statement, [searched]);
  expect(await differences()).toContain(`${searched}: ${sentence}`);
});

test('a counter that is not the sum of its entries is named', async () => {
  await owners.ledger.query('update subscription set week_delivered_units = 77 where id = $1', [subscriptionId]);
  expect(await differences()).toEqual(['0: counter of week delivered units: stored 77, recomputed 10']);
});

afterEach(async () => {
  await owners.operations.query('truncate operation cascade');
  await owners.ledger.query('truncate hold, open_hold, entry, entry_total, subscription_check, suspect_range');
  await owners.ledger.query(
    `update subscription set window_request_units = 0, window_delivered_units = 0, week_request_units = 0,
       week_delivered_units = 0, period_request_units = 0, period_delivered_units = 0`,
  );
});
