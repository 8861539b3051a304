import { afterAll, beforeAll, expect, test } from 'vitest';
import { letMinutesPass } from '../../test-support/deleted-refusals.ts';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type Subscriber,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import type { Admission } from '../allowance/posting.ts';
import { readHighestOperationId } from '../db/hold.ts';
import { deleteOldRefusals } from '../maintenance/refusals.ts';
import { createPostings } from './postings.ts';

// Operations may pause for any time between the operation row and its charge. So may the ledger
// before it applies the charge.

let ledger: TestLedger;
let subscriber: Subscriber;

beforeAll(async () => {
  ledger = await createTestLedger();
  subscriber = await createSubscriber(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function withdraw(call: Admission): Promise<void> {
  expect((await createPostings(ledger.pool).release(call)).hold.state).toBe('refused');
}

async function deleteRefusals(): Promise<void> {
  for (const table of ['hold', 'refusal'])
    await ledger.owner.query(`update ${table} set created_at = created_at - interval '61 minutes'`);
  await letMinutesPass(ledger.owner);
  await deletionPass();
  await letMinutesPass(ledger.owner);
  await deletionPass();
}

function deletionPass(): Promise<number> {
  return deleteOldRefusals(ledger.pool, new AbortController().signal);
}

test.each(['charge', 'reserve'] as const)('a late %s of a withdrawn operation is refused at any age', async (kind) => {
  const call = admission(kind, subscriber, 3);
  await withdraw(call);
  await deleteRefusals();
  expect((await ledger.owner.query('select from hold where operation_id = $1', [call.operationId])).rowCount).toBe(0);
  for (const process of [createPostings(ledger.pool), createPostings(ledger.pool)]) {
    const { hold } = await process.admit(call);
    expect(hold).toMatchObject({ state: 'refused', refusal: { code: 'usage_expired' } });
  }
  await deleteRefusals();
  expect((await createPostings(ledger.pool).admit(call)).hold.state).toBe('refused');
});

test('so is an operation of their age that the ledger has never heard of, but none that is younger', async () => {
  const [unheard, withdrawn, younger] = [1, 2, 3].map(() => admission('charge', subscriber));
  if (!unheard || !withdrawn || !younger) throw new Error('three were made');
  await withdraw(withdrawn);
  await deleteRefusals();
  const postings = createPostings(ledger.pool);
  const answers = await Promise.all([unheard, withdrawn, younger].map((call) => postings.admit(call)));
  expect(answers.map(({ hold }) => hold.state)).toEqual(['refused', 'refused', 'posted']);
});

test('an operation that the ledger knows is answered as before at that age, and blocks no units again', async () => {
  const postings = createPostings(ledger.pool);
  const [charged, held, withdrawn] = [
    admission('charge', subscriber),
    admission('reserve', subscriber),
    admission('charge', subscriber),
  ];
  for (const call of [charged, held]) await postings.admit(call);
  await withdraw(withdrawn);
  await deleteRefusals();
  expect((await postings.admit(charged)).hold.state).toBe('posted');
  expect((await postings.admit(held)).hold.state).toBe('held');
  expect((await postings.release(held)).hold.state).toBe('void');
});

test('an operation admitted earlier is admitted again after a restore at any age', async () => {
  const [lost, withdrawn] = [admission('reserve', subscriber), admission('charge', subscriber)];
  await withdraw(withdrawn);
  await deleteRefusals();
  expect((await createPostings(ledger.pool).admit({ ...lost, admittedBefore: true })).hold.state).toBe('held');
});

test('a charge in flight while its refusal is deleted is refused, however late the passes come', async () => {
  const call = admission('charge', subscriber, 3);
  await withdraw(call);
  for (const table of ['hold', 'refusal'])
    await ledger.owner.query(`update ${table} set created_at = created_at - interval '61 minutes'`);
  const blocker = await ledger.owner.connect();
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const charged = createPostings(ledger.pool).admit(call);
  const waiting = async () => (await ledger.owner.query('select from pg_locks where not granted')).rowCount;
  await expect.poll(waiting, { interval: 10 }).toBe(1);
  await deletionPass();
  await deletionPass();
  await blocker.query('commit');
  blocker.release();
  expect((await charged).hold.state).toBe('refused');
});

test('the bound is the highest old number, in whatever order they were refused', async () => {
  const [low, high] = [admission('charge', subscriber), admission('charge', subscriber)];
  for (const call of [high, low]) await withdraw(call);
  await deleteRefusals();
  const { rows } = await ledger.owner.query<{ id: bigint }>('select operation_id as id from deleted_refusal');
  expect(rows).toEqual([{ id: high.operationId }]);
});

test('numbers of deleted refusals count as used', async () => {
  const withdrawn = admission('charge', subscriber);
  await withdraw(withdrawn);
  await deleteRefusals();
  const { operationId } = withdrawn;
  expect((await ledger.owner.query('select from hold where operation_id = $1', [operationId])).rowCount).toBe(0);
  expect(await readHighestOperationId(ledger.pool)).toBe(operationId);
});
