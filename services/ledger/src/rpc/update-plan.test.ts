import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';

let served: ServedLedger;

beforeAll(async () => {
  served = await serveLedger();
});
afterAll(() => served[Symbol.asyncDispose]());

async function subscribe(): Promise<bigint> {
  const { account } = await served.admin('admin').createAccount({ name: 'A subscriber' });
  const { subscription } = await served
    .admin('admin')
    .createSubscription({ accountId: account?.id ?? 0n, plan: 'builder' });
  return subscription?.id ?? 0n;
}

async function untilWaiting(connections: number): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await served.ledger.pool.query(waiting)).rowCount !== connections) await pause(10);
}

/** Locks a subscription until it is let go, for changes that are made meanwhile. */
async function hold(id: bigint) {
  const client = await served.ledger.owner.connect();
  await client.query('begin');
  await client.query('select from subscription where id = $1 for no key update', [id]);
  return {
    client,
    letGo: async () => {
      await client.query('commit');
      client.release();
    },
  };
}

const changePlan = () => served.admin('admin').updatePlan({ name: 'builder', limits: { windowRequestUnits: 61n } });
/** The row of a subscription lies behind all others from then on. */
const move = (id: bigint) => served.ledger.owner.query('update subscription set last_at = last_at where id = $1', [id]);
const LEAVE = `update subscription set plan = 'professional' where id = $1`;

test('a change of a plan that began earlier and one that finds rows elsewhere lock them in one order', async () => {
  const [first, moved, second, last] = [await subscribe(), await subscribe(), await subscribe(), await subscribe()];
  const atFirst = await hold(first);
  const earlier = changePlan();
  await untilWaiting(1);
  await move(moved);
  await served.ledger.owner.query(LEAVE, [second]);
  const atSecond = await hold(second);
  // The earlier change goes on to the second subscription, which was of the plan when it began.
  await atFirst.client.query(LEAVE, [first]);
  await atFirst.letGo();
  await untilWaiting(1);
  const later = changePlan();
  await untilWaiting(2);
  await atSecond.letGo();
  expect(await Promise.all([earlier, later])).toMatchObject([{ plan: { name: 'builder' } }, {}]);
  expect(last).toBeGreaterThan(moved);
});
