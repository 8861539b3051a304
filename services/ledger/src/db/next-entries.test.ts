import { pagesOf } from '@ces/test/support/pages-of.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  AMPLE,
  createSubscriber,
  createTestLedger,
  insertHistory,
  type TestLedger,
} from '../../test-support/test-ledger.ts';
import { readNextEntries } from './next-entries.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger[Symbol.asyncDispose]());

const AGO_SECONDS = 60;
const BEFORE_ALL = { window: 0, week: 0 };

async function pagesWith(entries: number): Promise<number> {
  const subscriber = await createSubscriber(ledger.owner, AMPLE);
  await insertHistory(ledger.owner, subscriber, entries, AGO_SECONDS);
  await ledger.owner.query('vacuum analyze entry');
  return await pagesOf(ledger.pool, (db) => readNextEntries(db, subscriber.subscriptionId, BEFORE_ALL, 0));
}

test('the next entries to leave are read from where they begin, however many follow', async () => {
  const few = await pagesWith(200);
  expect(await pagesWith(20_000)).toBeLessThanOrEqual(few + 10);
});

test('they come in the order in which they leave, as many as are read at once', async () => {
  const subscriber = await createSubscriber(ledger.owner, AMPLE);
  await insertHistory(ledger.owner, subscriber, 100, AGO_SECONDS);
  const next = await readNextEntries(ledger.pool, subscriber.subscriptionId, BEFORE_ALL, 0);
  const instants = next?.window.map(({ settledAt }) => settledAt) ?? [];
  expect(instants).toHaveLength(64);
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
});
