import { seeded } from '@ces/test/support/random.ts';
import { expect, test } from 'vitest';
import { AMPLE, createSubscriber, createTestLedger } from '../../test-support/test-ledger.ts';
import type { HoldState } from '../allowance/posting.ts';
import { listPostings } from './posting.ts';

const SEED = process.env.CES_TEST_SEED ?? String(Date.now());
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();
/** Operation numbers span three partitions of this many numbers. */
const STRETCH = 1n << 24n;
const PRUNED_BEFORE = NOW - 300 * DAY_MS;
/** The longest delay exceeds the time for which an entry of an unposted hold is looked for. */
const LATER_BY_MS = [0, 20_000, 59 * 60_000, 2 * HOUR_MS, DAY_MS, 3 * DAY_MS, 80 * DAY_MS];

interface Made {
  readonly operationId: bigint;
  readonly state: HoldState;
  readonly createdAt: number;
  readonly settledAt: number | undefined;
  readonly isReversed: boolean;
}

test('every hold is listed once with the entry that it became, whenever that was settled, in pages of any size', async () => {
  await using ledger = await createTestLedger();
  const { subscriptionId } = await createSubscriber(ledger.pool, AMPLE);
  const random = seeded(SEED);
  const made = Array.from({ length: 300 }, (_, index) => {
    const createdAt = NOW - random.below(400) * DAY_MS - random.below(DAY_MS);
    const state = random.pick<HoldState>(['posted', 'posted', 'posted', 'void', 'held']);
    const later = createdAt + random.pick(LATER_BY_MS) + index;
    const isSettled = state === 'posted' ? !random.chance(0.1) : random.chance(0.3);
    const operationId = BigInt(random.below(3)) * STRETCH + BigInt(index * 7 + 1);
    return {
      operationId,
      state,
      createdAt,
      settledAt: isSettled && later < NOW ? later : undefined,
      isReversed: isSettled && later < NOW && random.chance(0.2),
    };
  }).sort((a, b) => Number(a.operationId - b.operationId));
  await ledger.owner.query(
    `with holds as (
       insert into hold (operation_id, operation_identity, subscription_id, state, request_units, delivered_units, created_at)
       select id, gen_random_uuid(), $1, state, 1, 5, created_at from unnest($2::bigint[], $3::text[], $4::timestamptz[]) as h (id, state, created_at)
     )
     select create_partitions()`,
    [subscriptionId, made.map((one) => one.operationId), made.map((one) => one.state), at(made, 'createdAt')],
  );
  const settled = made.filter((one) => one.settledAt !== undefined);
  await ledger.owner.query(
    `insert into entry (operation_id, subscription_id, settled_at, request_units, delivered_units, fresh_evidence_units)
     select id, $1, settled_at, 1, 3, 0 from unnest($2::bigint[], $3::timestamptz[]) as e (id, settled_at)`,
    [subscriptionId, settled.map((one) => one.operationId), at(settled, 'settledAt')],
  );
  const reversed = settled.filter((one) => one.isReversed);
  await ledger.owner.query(
    `insert into reversal (operation_id, subscription_id, settled_at, request_units, delivered_units, fresh_evidence_units, caller, reason)
     select id, $1, settled_at, -1, -3, 0, 'operations', 'lost' from unnest($2::bigint[], $3::timestamptz[]) as e (id, settled_at)`,
    [subscriptionId, reversed.map((one) => one.operationId), at(reversed, 'settledAt')],
  );
  await ledger.owner.query('update pruning set pruned_before = $1', [new Date(PRUNED_BEFORE)]);
  const expected = made.filter(isListed).map(listed);
  expect(expected.length, `seed ${SEED}`).toBeGreaterThan(200);
  for (const limit of [1, 7, 100, 5_000]) {
    const pages = [];
    for (let after = 0n; ; ) {
      const page = await listPostings(ledger.pool, after, limit);
      pages.push(...page);
      if (page.length < limit) break;
      after = page.at(-1)?.operationId ?? 0n;
    }
    const found = pages.map(({ operationId, state, createdAt, entry, reversal }) => ({
      ...{ operationId, state, createdAt },
      settledAt: entry?.settledAt,
      isReversed: reversal !== undefined,
    }));
    expect(found, `seed ${SEED}, ${limit} a page`).toEqual(expected);
  }
});

/**
 * An entry of a hold that is not posted is a fault. The query finds it within two days of the hold.
 */
function ownEntry({ state, createdAt, settledAt }: Made): number | undefined {
  return state === 'posted' || (settledAt !== undefined && settledAt < createdAt + 2 * DAY_MS) ? settledAt : undefined;
}

function isListed(one: Made): boolean {
  return one.state !== 'posted' || ownEntry(one) !== undefined || one.createdAt >= PRUNED_BEFORE;
}

function listed(one: Made) {
  const { operationId, state, createdAt, isReversed } = one;
  const settledAt = ownEntry(one);
  return {
    ...{ operationId, state, createdAt: new Date(createdAt), isReversed },
    settledAt: settledAt === undefined ? undefined : new Date(settledAt),
  };
}

function at(made: readonly Made[], key: 'createdAt' | 'settledAt'): Date[] {
  return made.map((one) => new Date(one[key] ?? 0));
}
