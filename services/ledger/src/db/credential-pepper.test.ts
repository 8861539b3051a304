import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSubscriber, createTestLedger, type TestLedger } from '../../test-support/test-ledger.ts';
import { insertCredential, recordUse } from './credential.ts';
import { writePepperChanges } from './credential-pepper.ts';

let ledger: TestLedger;
let filled = 0;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function issue(): Promise<bigint> {
  const { accountId } = await createSubscriber(ledger.pool);
  filled += 1;
  const { id } = await insertCredential(ledger.pool, {
    ...{ accountId, testMode: false, label: '', prefix: 'ces_live_abcd', scopes: ['search'], expiresAt: undefined },
    ...{ former: undefined, newest: { pepper: 'old', digest: Buffer.alloc(32, filled) } },
  });
  return id;
}

function move(id: bigint, from = 'old') {
  return [id, { kind: 'move', from, to: { pepper: 'new', digest: Buffer.alloc(32, 100 + Number(id)) } }] as const;
}

async function pepperOf(id: bigint): Promise<string | null | undefined> {
  const { rows } = await ledger.owner.query<{ moved_pepper: string | null }>(
    'select moved_pepper from credential where id = $1',
    [id],
  );
  return rows[0]?.moved_pepper;
}

test('a key moves even while its last use is being written', async () => {
  const id = await issue();
  await using use = await holding(`update credential set last_used_at = clock_timestamp() where id = ${id}`);
  const moving = writePepperChanges(ledger.pool, new Map([move(id)]));
  await use.untilWaitedFor();
  await use.commit();
  await moving;
  expect(await pepperOf(id)).toBe('new');
});

test('uses and moves of the same keys, in whatever order, are all written', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, issue));
  const usedAt = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  for (let round = 0; round < 5; round += 1) {
    const [forth, back] = [ids, ids.toReversed()];
    await Promise.all([
      recordUse(ledger.pool, new Map(back.map((id) => [id, new Date(usedAt.getTime() + round * 60_000)]))),
      recordUse(ledger.pool, new Map(forth.map((id) => [id, new Date(usedAt.getTime() + round * 60_000)]))),
      writePepperChanges(ledger.pool, new Map(forth.map((id) => move(id)))),
      writePepperChanges(ledger.pool, new Map(back.map((id) => move(id)))),
    ]);
  }
  for (const id of ids) expect(await pepperOf(id)).toBe('new');
});

test('a key that is not where it was seen stays as it is', async () => {
  const id = await issue();
  await writePepperChanges(ledger.pool, new Map([move(id, 'another')]));
  expect(await pepperOf(id)).toBeNull();
});

async function holding(statement: string) {
  const client = await ledger.owner.connect();
  await client.query('begin');
  await client.query(statement);
  const { rows: own } = await client.query('select pg_current_xact_id()::xid::text as id');
  let open = true;
  const commit = async () => {
    if (open) await client.query('commit');
    open = false;
  };
  return {
    commit,
    untilWaitedFor: () =>
      expect
        .poll(async () => {
          const { rows } = await ledger.owner.query(
            'select 1 from pg_locks where not granted and transactionid::text = $1',
            [own[0].id],
          );
          return rows.length;
        })
        .toBeGreaterThan(0),
    async [Symbol.asyncDispose]() {
      await commit();
      client.release();
    },
  };
}
