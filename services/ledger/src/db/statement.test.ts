import { inTransaction } from '@ces/chassis/postgres/pool';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AMPLE,
  admission,
  createSubscriber,
  createTestLedger,
  insertHistory,
  letTimePass,
  type Subscriber,
  type TestLedger,
  units,
} from '../../test-support/test-ledger.ts';
import type { NamedOperation } from '../allowance/mismatch.ts';
import { negative, plus, type Units } from '../allowance/units.ts';
import { createPostings, type Postings } from '../posting/postings.ts';
import { reverse } from '../posting/reverse.ts';
import { lockSubscription, readSnapshot } from './balance-snapshot.ts';
import { appendTotals, ENTRIES_A_STEP } from './entry-total.ts';
import { ALL_TIME, findNextEntries } from './range.ts';
import {
  listStatementLines,
  readKnownUntil,
  readStatementTotals,
  type StatementInterval,
  type StatementLine,
  type StatementPosition,
} from './statement.ts';
import { NO_POSTINGS, writePostings } from './write-postings.ts';

let ledger: TestLedger;
let postings: Postings;

beforeAll(async () => {
  ledger = await createTestLedger();
  postings = createPostings(ledger.pool);
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function settle(subscriber: Subscriber, delivered: number): Promise<NamedOperation> {
  const call = admission('charge', subscriber, delivered);
  await postings.admit(call);
  return call;
}

const reverseSettlement = (operation: NamedOperation) =>
  reverse(ledger.pool, postings, operation, { caller: 'operations', reason: 'lost in a restore' });

async function everything({ subscriptionId }: Subscriber): Promise<StatementInterval> {
  const clock = await readKnownUntil(ledger.pool, subscriptionId);
  if (!clock) throw new Error('no such subscription');
  return { subscriptionId, since: 0n, until: clock.now + 60_000_000n, knownUntil: clock.knownUntil };
}

async function readPages(interval: StatementInterval, limit: number, between: () => Promise<unknown>) {
  const lines: StatementLine[] = [];
  for (let after: StatementPosition | undefined; ; ) {
    const page = await listStatementLines(ledger.pool, interval, after, limit);
    lines.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) return lines;
    after = { settledAt: last.settledAt, isReversal: last.reason !== undefined };
    await between();
  }
}

function sum(lines: readonly StatementLine[]): Units {
  return lines.reduce((total, line) => plus(total, line.units), units(0, 0));
}

test('a statement lists entries by time, and a reversal follows its settlement with negative units', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const calls = [await settle(subscriber, 3), await settle(subscriber, 5), await settle(subscriber, 7)];
  await reverseSettlement(calls[1] as NamedOperation);
  const interval = await everything(subscriber);
  const lines = await listStatementLines(ledger.pool, interval, undefined, 10);
  const [first, second, third] = calls.map(({ operationId }) => operationId);
  expect(lines.map(({ operationId, reason }) => [operationId, reason])).toEqual([
    [first, undefined],
    [second, undefined],
    [second, 'lost in a restore'],
    [third, undefined],
  ]);
  expect(lines[2]?.units).toEqual(negative(lines[1]?.units ?? units(0, 0)));
  expect(lines[2]?.settledAt).toBe(lines[1]?.settledAt);
  expect(await readStatementTotals(ledger.pool, interval)).toEqual(units(2, 10));
});

test('pages of any size hold each line once, and add up to the totals, while others settle and reverse', async () => {
  for (const limit of [1, 2, 3, 7]) {
    const subscriber = await createSubscriber(ledger.pool, AMPLE);
    const calls: NamedOperation[] = [];
    for (let n = 0; n < 12; n += 1) calls.push(await settle(subscriber, n));
    for (const n of [0, 4, 5, 11]) await reverseSettlement(calls[n] as NamedOperation);
    const interval = await everything(subscriber);
    const totals = await readStatementTotals(ledger.pool, interval);
    let meanwhile = 0;
    const lines = await readPages(interval, limit, async () => {
      await settle(subscriber, 100);
      const undone = calls[[1, 2, 3, 6, 7, 8, 9, 10][meanwhile++] ?? 0];
      if (undone) await reverseSettlement(undone);
    });
    expect(meanwhile).toBeGreaterThan(1);
    expect(lines).toHaveLength(16);
    expect(new Set(lines.map(({ operationId, reason }) => `${operationId} ${reason}`)).size).toBe(16);
    expect(sum(lines)).toEqual(totals);
    expect(await readStatementTotals(ledger.pool, interval)).toEqual(totals);
  }
});

test('settlements in flight when the first page is read are in none of its pages, and in the next statement', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  await settle(subscriber, 2);
  const late = admission('reserve', subscriber, 5);
  await postings.admit(late);
  const interval = await inTransaction(ledger.pool, async (client) => {
    await lockSubscription(client, subscriber.subscriptionId);
    const snapshot = await readSnapshot(client, subscriber.subscriptionId);
    const pinned = await everything(subscriber);
    if (!snapshot) throw new Error('a subscriber has a subscription');
    await writePostings(client, snapshot, {
      ...NO_POSTINGS,
      entries: [{ operationId: late.operationId, units: units(1, 5), ordinal: 0 }],
      balance: snapshot.balance,
    });
    return pinned;
  });
  expect(sum(await listStatementLines(ledger.pool, interval, undefined, 10))).toEqual(units(1, 2));
  expect(await readStatementTotals(ledger.pool, interval)).toEqual(units(1, 2));
  const next = await everything(subscriber);
  expect(sum(await listStatementLines(ledger.pool, next, undefined, 10))).toEqual(units(2, 7));
});

test('an interval begins with its first instant and ends before its last one, to the microsecond', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  for (let n = 1; n <= 3; n += 1) await settle(subscriber, n);
  const whole = await everything(subscriber);
  const [first, second, third] = await listStatementLines(ledger.pool, whole, undefined, 10);
  const interval = { ...whole, since: second?.settledAt ?? 0n, until: third?.settledAt ?? 0n };
  expect(first?.settledAt).toBeLessThan(interval.since);
  const lines = await listStatementLines(ledger.pool, interval, undefined, 10);
  expect(lines).toEqual([second]);
  expect(await readStatementTotals(ledger.pool, interval)).toEqual(units(1, 2));
});

test('a reversal counts when its settlement does: an interval that ends between the two has both or neither', async () => {
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  const undone = await settle(subscriber, 4);
  await letTimePass(ledger.owner, subscriber.subscriptionId, 3_600);
  await reverseSettlement(undone);
  await settle(subscriber, 1);
  const whole = await everything(subscriber);
  const [, reversal, last] = await listStatementLines(ledger.pool, whole, undefined, 10);
  expect(reversal?.reason).toBeDefined();
  const before = { ...whole, until: last?.settledAt ?? 0n };
  const after = { ...whole, since: last?.settledAt ?? 0n };
  expect(await readStatementTotals(ledger.pool, before)).toEqual(units(0, 0));
  expect(await readStatementTotals(ledger.pool, after)).toEqual(units(1, 1));
});

test('a page and the totals read as little of twenty thousand entries as of a few', async () => {
  const entries = 20_000;
  const subscriber = await createSubscriber(ledger.pool, AMPLE);
  await insertHistory(ledger.owner, subscriber, entries, 3_600);
  for (let after = ALL_TIME.after; ; ) {
    const range = await findNextEntries(ledger.pool, subscriber.subscriptionId, after, ENTRIES_A_STEP);
    if (!range) break;
    await appendTotals(ledger.pool, subscriber.subscriptionId, range.until);
    after = range.until;
  }
  const interval = await everything(subscriber);
  expect(await readStatementTotals(ledger.pool, interval)).toEqual(units(entries, 2 * entries));
  const read = await inTransaction(ledger.owner, async (client) => {
    await listStatementLines(client, interval, undefined, 101);
    await readStatementTotals(client, interval);
    const { rows } = await client.query<{ read: bigint }>(
      `select sum(pg_stat_get_xact_tuples_fetched(c.oid) + pg_stat_get_xact_tuples_returned(c.oid))::bigint as read
       from pg_class c
       where c.oid in (select relid from pg_partition_tree('entry')) or c.relname = 'entry'
          or c.oid in (select indexrelid from pg_index where indrelid in (select relid from pg_partition_tree('entry')))`,
    );
    return Number(rows[0]?.read ?? 0);
  });
  expect(read).toBeLessThan(4_000);
});
