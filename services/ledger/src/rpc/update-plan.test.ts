import { untilWaiting } from '@ces/test/support/until-waiting.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedLedger, serveLedger } from '../../test-support/served-ledger.ts';

let served: ServedLedger;

beforeEach(async () => {
  served = await serveLedger();
});
afterEach(() => served[Symbol.asyncDispose]());

async function subscribe(): Promise<bigint> {
  const { account } = await served.admin('admin').createAccount({ name: 'A subscriber' });
  const { subscription } = await served
    .admin('admin')
    .createSubscription({ accountId: account?.id ?? 0n, plan: 'builder' });
  return subscription?.id ?? 0n;
}

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
/** An update stores the row of the subscription after all others. */
const move = (id: bigint) => served.ledger.owner.query('update subscription set last_at = last_at where id = $1', [id]);
const LEAVE = `update subscription set plan = 'professional' where id = $1`;

const afterRestore = () => served.restores().afterRestore({});

test.each([
  ['another', changePlan],
  ['what is said after a restore', afterRestore],
])(
  'a change of a plan that began earlier and %s that finds rows elsewhere lock them in one order',
  async (_, change) => {
    const [first, moved, second] = [await subscribe(), await subscribe(), await subscribe()];
    // Both changes lock this row too, after the moved row or before it.
    await subscribe();
    const atFirst = await hold(first);
    const earlier = changePlan();
    await untilWaiting(served.ledger.pool, 1);
    await move(moved);
    await served.ledger.owner.query(LEAVE, [second]);
    const atSecond = await hold(second);
    // The earlier change goes on to the second subscription, which had the plan when it began.
    await atFirst.client.query(LEAVE, [first]);
    await atFirst.letGo();
    await untilWaiting(served.ledger.pool, 1);
    const later = change();
    await untilWaiting(served.ledger.pool, 2);
    await atSecond.letGo();
    expect((await Promise.allSettled([earlier, later])).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
    ]);
  },
);
