import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { HoldState } from '@ces/proto/ces/ledger/v1/ledger_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// R31: the operations database loses its latest rows, as after a restore or a failover, and repeats
// numbers.
const ROUNDS = volumeOf(1, 50);
const LOST = 4;

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let operations: Pool;
let ledger: Pool;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: NO_FLOOD_LIMITS }));
  operations = poolOf(stack.databases.operations.ownerUrl);
  ledger = poolOf(stack.databases.ledger.ownerUrl);
  const { companies, observations } = facilities(8, 'steel works');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => cleanup.disposeAsync());

function poolOf(connectionString: string): Pool {
  const pool = createPool({
    connectionString,
    max: 2,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  cleanup.defer(() => pool.end());
  return pool;
}

async function lastNumber(): Promise<bigint> {
  const { rows } = await operations.query<{ id: bigint }>('select coalesce(max(id), 0) as id from operation');
  return rows[0]?.id ?? 0n;
}

/** Leaves the database as a restore would, to the moment when `last` was the newest number. */
async function loseNumbersAfter(last: bigint): Promise<void> {
  await operations.query('delete from operation where id > $1', [last]);
  await operations.query(`select setval('operation_id_seq', greatest(1, $1::bigint), $1 > 0)`, [last]);
}

async function holdOf(id: number): Promise<unknown> {
  const { rows } = await ledger.query('select * from hold where operation_id = $1', [id]);
  return rows[0];
}

async function work(subscriber: Subscriber, limit: number): Promise<number[]> {
  const found = Array.from({ length: LOST / 2 }, () => subscriber.search({ query: 'steel works', limit }));
  const lookedUp = Array.from({ length: LOST / 2 }, () => subscriber.lookUp({ domains: ['northwind1.example'] }));
  const answers = await Promise.all([...found, ...lookedUp]);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: LOST }, () => 200));
  return answers.map(({ body }) => body.usage.id);
}

async function settled(subscriber: Subscriber): Promise<number> {
  return (await subscriber.report()).body.usage.request_units;
}

test(
  `numbers that are given again make no work free and void no other operation, ${ROUNDS} times`,
  async () => {
    const [own, other] = [
      await createSubscriber(stack, { limits: AMPLE }),
      await createSubscriber(stack, { limits: AMPLE }),
    ];
    const sandbox = await createSubscriber(stack, { testMode: true, plan: 'builder' });
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await lastNumber();
      const lost = [...(await work(own, 5)), ...(await work(other, 3))];
      const waiting = await sandbox.search({ query: 'sandbox:slow', limit: 1, background: true });
      const held = await holdOf(waiting.body.usage.id);
      expect(held).toMatchObject({ state: 'held' });
      await loseNumbersAfter(before);
      const paid = [await settled(own), await settled(other)];
      const anew = [...(await work(own, 4)), ...(await work(other, 2))];
      expect([await settled(own), await settled(other)]).toEqual(paid.map((units) => units + LOST));
      expect(anew.filter((id) => lost.includes(id) || id === waiting.body.usage.id)).toEqual([]);
      expect(await holdOf(waiting.body.usage.id)).toEqual(held);
      const released = await stack.operationsAdmin.reconcileLedger({ limit: 1 });
      expect(released).toMatchObject({ released: [BigInt(waiting.body.usage.id)], mismatched: [] });
    }
    const { movements } = await stack.ledgerAdmin.listMovements({ limit: 5_000 });
    expect(movements.filter(({ hold }) => hold?.state === HoldState.HELD)).toEqual([]);
    expect((await stack.ledgerAdmin.verifyLedger({})).differences).toEqual([]);
  },
  VOLUME_TIMEOUT_MS,
);
