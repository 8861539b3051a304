import type { Pool, Queryable } from '@ces/chassis/postgres/pool';
import { expect, test } from 'vitest';
import { letMinutesPass } from '../../test-support/deleted-refusals.ts';
import { admission, createSubscriber, createTestLedger } from '../../test-support/test-ledger.ts';
import { createPostings } from '../posting/postings.ts';
import { deleteOldRefusals } from './refusals.ts';

const never = new AbortController().signal;

async function deleteOf(owner: Queryable, pool: Pool): Promise<number> {
  expect(await deleteOldRefusals(pool, never)).toBe(0);
  await letMinutesPass(owner);
  return await deleteOldRefusals(pool, never);
}

test('a refusal is repeated for an hour and then deleted; holds and settlements stay', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 2n });
  const postings = createPostings(ledger.pool);
  const kept = [admission('charge', subscriber), admission('reserve', subscriber)];
  for (const call of kept) await postings.admit(call);
  const [old, young] = [admission('charge', subscriber), admission('charge', subscriber)];
  for (const call of [old, young]) expect((await postings.admit(call)).hold.state).toBe('refused');
  const unknown = admission('reserve', subscriber);
  await postings.release(unknown);
  for (const table of ['hold', 'refusal'])
    await ledger.owner.query(
      `update ${table} set created_at = created_at - interval '61 minutes' where operation_id <> $1`,
      [young.operationId],
    );
  expect(await deleteOf(ledger.owner, ledger.pool)).toBe(2);
  const { rows } = await ledger.owner.query<{ id: bigint }>('select operation_id as id from hold order by 1');
  expect(rows.map(({ id }) => id)).toEqual([...kept, young].map(({ operationId }) => operationId));
  expect(await deleteOldRefusals(ledger.pool, never)).toBe(0);
});

test('only refusals are deleted, even if their number was reused', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool);
  const charged = admission('charge', subscriber);
  await createPostings(ledger.pool).admit(charged);
  await ledger.owner.query("insert into refusal values ($1, now() - interval '2 hours')", [charged.operationId]);
  await ledger.owner.query("update hold set created_at = created_at - interval '2 hours'");
  expect(await deleteOf(ledger.owner, ledger.pool)).toBe(1);
  expect((await ledger.owner.query('select from hold')).rowCount).toBe(1);
  expect((await ledger.owner.query('select from refusal')).rowCount).toBe(0);
});

test('many refusals are deleted in several statements, and the service can delete no younger one', async () => {
  await using ledger = await createTestLedger();
  await insertRefusals(ledger.owner, 1_200);
  expect(await deleteOf(ledger.owner, ledger.pool)).toBe(1_200);
  await expect(
    ledger.pool.query("select delete_old_refusals(clock_timestamp() - interval '59 minutes', 1)"),
  ).rejects.toThrow('refusals are kept for an hour at least');
});

async function insertRefusals(owner: Pool, count: number): Promise<void> {
  await owner.query(
    `insert into hold (operation_id, operation_identity, state, request_units, delivered_units, created_at, refusal_code, refusal_message, admissible_delivered_units)
     select n, gen_random_uuid(), 'refused', 1, 1, clock_timestamp() - interval '2 hours', 'subscription_required', 'none', 0
     from generate_series(1, $1::integer) n`,
    [count],
  );
}
