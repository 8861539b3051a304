import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FLOOD_LIMITS } from '../../support/no-flood-limits.ts';
import { facilities, recordEvidence } from '../../support/record.ts';
import { startTestStack, type TestStack } from '../../support/stack.ts';
import { createSubscriber, type Subscriber } from '../../support/subscriber.ts';

/** Calls of all accounts together; 10,000 calls take some minutes. */
const CALLS = Number(process.env.CES_TENANCY_CALLS ?? 160);
const ACCOUNTS = 8;
const AT_ONCE = 16;
const PLENTY = 1_000_000n;

let stack: TestStack;
let accounts: readonly Subscriber[];

beforeAll(async () => {
  stack = await startTestStack({
    env: {
      CES_LEDGER_DATABASE_POOL: '1',
      CES_LOOKUP_DATABASE_POOL: '1',
      // The sweeper uses one of them.
      CES_OPERATIONS_DATABASE_POOL: '2',
      ...NO_FLOOD_LIMITS,
    },
  });
  const { companies, observations } = facilities(ACCOUNTS, 'glass furnace');
  await recordEvidence(stack, companies, observations);
  const limits = { windowRequestUnits: PLENTY, weekRequestUnits: PLENTY, periodRequestUnits: PLENTY };
  accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => createSubscriber(stack, { limits })));
});
afterAll(() => stack[Symbol.asyncDispose]());

test(`${CALLS} calls of ${ACCOUNTS} accounts through one connection a service: each gets its own answer`, {
  timeout: 1_200_000,
}, async () => {
  const ids = accounts.map(() => new Set<number>());
  let next = 0;
  const worker = async () => {
    for (let call = next++; call < CALLS; call = next++) {
      const at = call % ACCOUNTS;
      const key = `account ${at}, call ${call}, ${randomUUID()}`;
      const answer = await (accounts[at] as Subscriber).lookUp({ domains: [`northwind${at + 1}.example`] }, key);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body).toMatchObject({
        usage: { request_key: key },
        companies: [{ name: `Northwind ${at + 1} Ltd` }],
      });
      ids[at]?.add(answer.body.usage.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(new Set(ids.flatMap((own) => [...own])).size).toBe(CALLS);
  for (const [at, account] of accounts.entries()) {
    const { usage } = (await account.report()).body;
    expect(usage.request_units).toBe(ids[at]?.size);
  }
});
