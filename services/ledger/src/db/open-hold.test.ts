import { expect, test } from 'vitest';
import {
  admission,
  createSubscriber,
  createTestLedger,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import { createPostings } from '../posting/postings.ts';
import { readOldestHold } from './hold.ts';

async function listOpen({ owner }: TestLedger): Promise<bigint[]> {
  const { rows } = await owner.query<{ id: bigint }>('select operation_id as id from open_hold order by 1');
  return rows.map(({ id }) => id);
}

test('open holds are listed, whatever statement creates and ends them', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool);
  const postings = createPostings(ledger.pool);
  const [settled, released, kept] = [
    admission('reserve', subscriber),
    admission('reserve', subscriber),
    admission('reserve', subscriber, 3),
  ];
  for (const call of [settled, released, kept]) await postings.admit(call);
  await postings.admit(admission('charge', subscriber));
  await postings.settle(settled, units(1, 0));
  await postings.release(released);
  expect(await listOpen(ledger)).toEqual([kept.operationId]);
  await ledger.owner.query("update hold set state = 'held' where operation_id = $1", [settled.operationId]);
  await ledger.owner.query(
    "update hold set delivered_units = 9, created_at = created_at - interval '1 hour' where state = 'held'",
  );
  const { rows } = await ledger.owner.query(
    'select count(*)::int as same from open_hold o join hold h using (operation_id, subscription_id, request_units, delivered_units, created_at)',
  );
  expect(rows).toEqual([{ same: 2 }]);
  expect(await readOldestHold(ledger.pool)).toBeGreaterThanOrEqual(3_600);
  await ledger.owner.query('delete from hold');
  expect(await listOpen(ledger)).toEqual([]);
  await expect(ledger.pool.query('delete from open_hold')).rejects.toMatchObject({ code: '42501' });
});

test('ending a hold updates no index', async () => {
  await using ledger = await createTestLedger();
  const subscriber = await createSubscriber(ledger.pool, { windowRequestUnits: 1_000n, weekRequestUnits: 1_000n });
  const counted = 100;
  {
    await using busy = ledger.connectAgain();
    const postings = createPostings(busy.pool);
    for (let turn = 0; turn < counted; turn += 1) {
      const call = admission('reserve', subscriber);
      await postings.admit(call);
      if (turn % 2 === 0) await postings.settle(call, units(1, 0));
      else await postings.release(call);
    }
  }
  const readUpdates = async () => {
    const { rows } = await ledger.owner.query<{ updates: bigint; hot: bigint }>(
      `select sum(n_tup_upd)::bigint as updates, sum(n_tup_hot_upd)::bigint as hot from pg_stat_user_tables
       where relid in (select relid from pg_partition_tree('hold')) or relname = 'hold'`,
    );
    return rows[0] ?? { updates: 0n, hot: 0n };
  };
  // Backends report their statistics when their connections end.
  await expect.poll(async () => (await readUpdates()).updates).toBe(BigInt(counted));
  expect(Number((await readUpdates()).hot)).toBeGreaterThanOrEqual(0.9 * counted);
});
