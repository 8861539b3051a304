import { createPool, inTransaction, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase } from '@ces/test/support/database.ts';
import type { NamedOperation } from '../src/allowance/mismatch.ts';
import type { Admission } from '../src/allowance/posting.ts';
import type { Units } from '../src/allowance/units.ts';
import { insertAccount } from '../src/db/account.ts';
import type { Limits } from '../src/db/limits.ts';
import { insertSubscription } from '../src/db/subscription.ts';

export interface TestLedger extends AsyncDisposable {
  readonly url: string;
  readonly pool: Pool;
  readonly owner: Pool;
  connectAgain(): { readonly pool: Pool } & AsyncDisposable;
}

export interface Subscriber {
  readonly accountId: bigint;
  readonly subscriptionId: bigint;
}

export async function createTestLedger(): Promise<TestLedger> {
  const database = await createTestDatabase('ledger');
  const logger = createLogger('test', 'silent');
  const connect = (connectionString: string) =>
    createPool({ connectionString, max: 12, applicationName: 'ledger-test', pipeline: true, logger });
  const pool = connect(database.url);
  const owner = connect(database.ownerUrl);
  return {
    url: database.url,
    pool,
    owner,
    connectAgain() {
      const own = connect(database.url);
      return { pool: own, [Symbol.asyncDispose]: () => own.end() };
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await owner.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

/**
 * Creates a partition of entries for each of the last 15 months, and of holds for numbers 2^24 to 3
 * * 2^24.
 */
export async function createOldLedger(): Promise<TestLedger> {
  const ledger = await createTestLedger();
  await inTransaction(ledger.owner, async (client) => {
    await client.query(
      `select add_entry_partition(m, m + interval '1 month')
       from generate_series(1, 15) n
       cross join lateral (select date_trunc('month', clock_timestamp(), 'UTC') - n * interval '1 month' as m) m`,
    );
  });
  return ledger;
}

export async function createSubscriber(pool: Pool, ownLimits: Limits = {}, status = 'active'): Promise<Subscriber> {
  const { id: accountId } = await insertAccount(pool, 'a subscriber', false);
  const subscriptionId = await insertSubscription(pool, { accountId, plan: 'builder', status, ownLimits });
  if (subscriptionId === undefined) throw new Error('no subscription was made');
  return { accountId, subscriptionId };
}

export function units(requestUnits: number, deliveredUnits: number, freshEvidenceUnits = 0): Units {
  return {
    requestUnits: BigInt(requestUnits),
    deliveredUnits: BigInt(deliveredUnits),
    freshEvidenceUnits: BigInt(freshEvidenceUnits),
  };
}

let lastOperationId = 0n;

export function nextOperationId(): bigint {
  lastOperationId += 1n;
  return lastOperationId;
}

export function identityOf(operationId: bigint): string {
  return `00000000-0000-4000-8000-${operationId.toString(16).padStart(12, '0')}`;
}

/** Names an operation without its account and subscription. */
export function withoutPayer(operationId: bigint, identity = identityOf(operationId)): NamedOperation {
  return { operationId, identity, accountId: 0n, subscriptionId: 0n };
}

export function admission(
  kind: Admission['kind'],
  subscriber: Subscriber,
  deliveredUnits = 0,
  requestUnits = 1,
): Admission {
  const operationId = nextOperationId();
  const identity = identityOf(operationId);
  return { kind, ...subscriber, operationId, identity, credentialId: 0n, units: units(requestUnits, deliveredUnits) };
}

export async function letTimePass(owner: Pool, subscriptionId: bigint, seconds: number): Promise<void> {
  const by = `${seconds} seconds`;
  await inTransaction(owner, async (client) => {
    await client.query(
      `update subscription
       set last_at = last_at - $2::interval, window_tail_at = window_tail_at - $2::interval,
           week_tail_at = week_tail_at - $2::interval, period_tail_at = period_tail_at - $2::interval,
           period_anchor = period_anchor - $2::interval, limits_changed_at = limits_changed_at - $2::interval
       where id = $1`,
      [subscriptionId, by],
    );
    for (const table of ['entry', 'reversal'])
      await client.query(`update ${table} set settled_at = settled_at - $2::interval where subscription_id = $1`, [
        subscriptionId,
        by,
      ]);
    await client.query('update hold set created_at = created_at - $2::interval where subscription_id = $1', [
      subscriptionId,
      by,
    ]);
  });
}

export const AMPLE: Limits = {
  windowRequestUnits: 1_000_000_000n,
  weekRequestUnits: 1_000_000_000n,
  periodRequestUnits: 1_000_000_000n,
  windowDeliveredUnits: 1_000_000_000n,
  weekDeliveredUnits: 1_000_000_000n,
  periodDeliveredUnits: 1_000_000_000n,
};

/**
 * Inserts `count` settled operations of 1 request unit and 2 delivered units. They are milliseconds
 * apart and end `agoSeconds` ago.
 */
export async function insertHistory(
  owner: Pool,
  { subscriptionId }: Subscriber,
  count: number,
  agoSeconds: number,
): Promise<void> {
  const first = lastOperationId + 1n;
  lastOperationId += BigInt(count);
  await inTransaction(owner, async (client) => {
    await client.query(
      `insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units, created_at)
       select $2 + n, gen_random_uuid(), $1, 'posted', 1, 3, clock_timestamp() - $4 * interval '1 second' - ($3 - n) * interval '3 milliseconds'
       from generate_series(0, $3::integer - 1) n`,
      [subscriptionId, first, count, agoSeconds],
    );
    await client.query(
      `insert into entry (operation_id, subscription_id, settled_at, request_units, delivered_units, fresh_evidence_units)
       select operation_id, subscription_id, created_at + interval '1 millisecond', 1, 2, 0
       from hold
       where subscription_id = $1 and operation_id >= $2`,
      [subscriptionId, first],
    );
    await client.query(
      `update subscription s
       set last_at = e.last_at, window_tail_at = e.first_at, week_tail_at = e.first_at, period_tail_at = e.first_at,
           window_request_units = $2::bigint, window_delivered_units = 2 * $2::bigint, week_request_units = $2::bigint,
           week_delivered_units = 2 * $2::bigint, period_request_units = $2::bigint, period_delivered_units = 2 * $2::bigint
       from (
         select max(settled_at) as last_at, min(settled_at) - interval '1 second' as first_at
         from entry where subscription_id = $1
       ) e
       where s.id = $1`,
      [subscriptionId, count],
    );
  });
}
