import { CesClient } from '@ces/client';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { startLossyProxy } from './lossy-proxy.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'battery plant');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'battery plant';

/** A little of everything; returns the ids of operations. */
async function work(ces: CesClient): Promise<readonly number[]> {
  const ids: number[] = [];
  for await (const { page } of ces.searchPages({ query, limit: 3 }, { requestKey: 'pages' })) ids.push(page.usage.id);
  const background = await ces.searchCompanies({ query, limit: 2 }, { background: true }).done();
  const lookup = await ces.lookUpCompanies({ domains: ['northwind1.example', 'nobody.example'] }).done();
  const one = ces.getCompany(recorded.companies.c2 ?? 0);
  await one.done();
  const observations = await ces.lookUpObservations({ domains: ['northwind3.example'], since: new Date(0) }).done();
  const diagnostic = await ces.diagnose().done();
  await ces.getUsage();
  for (const { usage } of [background, lookup, observations, diagnostic]) ids.push(usage.id);
  return [...ids, one.usageId ?? 0];
}

/** What the ledger took, entry by entry. */
async function entriesOf({ subscriptionId }: Subscriber): Promise<readonly object[]> {
  const ledger = new pg.Client({ connectionString: stack.databases.ledger.ownerUrl });
  await ledger.connect();
  try {
    const entries = 'select request_units, delivered_units from entry where subscription_id = $1 order by settled_at';
    return (await ledger.query<object>(entries, [subscriptionId])).rows;
  } finally {
    await ledger.end();
  }
}

test('losing the first answer to every call changes no bill: not the report, not an entry, not an operation', async () => {
  await using proxy = await startLossyProxy(stack.baseUrl);
  const [spared, struck] = [await createSubscriber(stack), await createSubscriber(stack)];
  const expected = await work(new CesClient({ baseUrl: stack.baseUrl, apiKey: spared.token }));
  const ids = await work(new CesClient({ baseUrl: proxy.url, apiKey: struck.token }));
  expect(proxy.lost.length).toBeGreaterThanOrEqual(expected.length);
  expect(new Set(ids).size).toBe(expected.length);
  const { usage, reservations } = (await spared.report()).body;
  expect(usage).toMatchObject({ request_units: 7, delivered_units: 13 });
  expect((await struck.report()).body).toMatchObject({ usage, reservations });
  expect(await entriesOf(struck)).toEqual(await entriesOf(spared));
  expect(await entriesOf(spared)).toHaveLength(7);
});
