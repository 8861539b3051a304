import { randomUUID } from 'node:crypto';
import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { FailureCode } from '@ces/chassis/rpc/failure';
import { createLogger } from '@ces/chassis/telemetry/log';
import { findById, findByRequestKey, findKept } from '@ces/operations/db/operation';
import { findReferences, findShortlist } from '@ces/operations/db/shortlist';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../../support/record.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber, type Subscriber } from '../../support/subscriber.ts';

// A signature or check often refuses a call before the row's own account condition; these tests
// call the statements directly.

let stack: TestStack;
let pool: Pool;
let owner: Subscriber;
let stranger: Subscriber;
let id: bigint;
const key = randomUUID();

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(3, 'glass furnace');
  await recordEvidence(stack, companies, observations);
  pool = createPool({
    connectionString: stack.databases.operations.url,
    max: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  owner = await createSubscriber(stack);
  stranger = await createSubscriber(stack);
  const answer = await owner.search({ query: 'glass furnace', limit: 1 }, key);
  id = BigInt(answer.body.usage.id);
});
afterAll(async () => {
  await pool.end();
  await stack[Symbol.asyncDispose]();
});

test('an operation is reached by account and id, and by account, action and key', async () => {
  expect(await findById(pool, owner.accountId, id)).toMatchObject({ id });
  expect(await findById(pool, stranger.accountId, id)).toBeUndefined();
  const byKey = async (accountId: bigint) =>
    (await findByRequestKey(pool, accountId, 'company_search', key, 3_600_000)).owner;
  expect(await byKey(owner.accountId)).toMatchObject({ kind: 'operation', operation: { id } });
  expect(await byKey(stranger.accountId)).toEqual({ kind: 'none' });
  expect(await findKept(pool, owner.accountId, id, 3_600_000)).toMatchObject({ operation: { id } });
  expect(await findKept(pool, stranger.accountId, id, 3_600_000)).toEqual({ kind: 'none' });
});

test('a shortlist is reached by account and id', async () => {
  expect((await findShortlist(pool, owner.accountId, id))?.items).toHaveLength(3);
  expect(await findShortlist(pool, stranger.accountId, id)).toBeUndefined();
  expect(await findReferences(pool, owner.accountId, id, [0, 1, 2])).toHaveLength(3);
  expect(await findReferences(pool, stranger.accountId, id, [0, 1, 2])).toEqual([]);
});

test('the ledger charges no subscription of another account, nor under another account’s credential', async () => {
  let operationId = 10_000_000n;
  const units = { requestUnits: 1n, deliveredUnits: 1n };
  const charge = async (payer: { accountId: bigint; subscriptionId: bigint; credentialId: bigint }) => {
    operationId += 1n;
    const { outcome } = await stack.ledger.charge({ operationId, operationIdentity: randomUUID(), units, ...payer });
    return outcome.case === 'refused' ? outcome.value.failure?.code : outcome.case;
  };
  const own = { accountId: owner.accountId, subscriptionId: owner.subscriptionId, credentialId: owner.credentialId };
  expect(await charge(own)).toBe('admitted');
  const { accountId, credentialId } = stranger;
  expect(await charge({ ...own, accountId, credentialId: 0n })).toBe(FailureCode.SUBSCRIPTION_REQUIRED);
  expect(await charge({ ...own, credentialId })).toBe(FailureCode.INVALID_API_KEY);
});
