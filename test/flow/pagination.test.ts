import { randomUUID } from 'node:crypto';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(12, 'glass furnace');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'glass furnace';

async function pages(subscriber: Subscriber, body: Record<string, unknown>) {
  const found = [];
  for (let cursor: string | null = null; ; ) {
    const answer = await subscriber.search(cursor ? { ...body, cursor } : body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    found.push(answer.body);
    cursor = answer.body.next_cursor;
    if (cursor === null) return found;
  }
}

const idsOf = (page: { companies: { id: number }[] }) => page.companies.map((company) => company.id);

test('pages partition the frozen shortlist: no repeat, no gap, the same window', async () => {
  const subscriber = await createSubscriber(stack);
  const found = await pages(subscriber, { query, limit: 5, target: 12 });
  const ids = found.flatMap(idsOf);
  expect(found.map((page) => page.companies.length)).toEqual([5, 5, 2]);
  expect(new Set(ids)).toEqual(new Set(Object.values(recorded.companies)));
  expect(new Set(found.map((page) => page.coverage.occurred_after)).size).toBe(1);
  expect(new Set(found.map((page) => page.as_of)).size).toBe(1);
  expect(found.map((page) => page.candidate_limit)).toEqual([100, 100, 100]);
  expect(found.map((page) => page.coverage.stop_reason)).toEqual([
    'target_reached',
    'shortlist_page',
    'shortlist_page',
  ]);
  const { usage } = (await subscriber.report()).body;
  expect(usage).toMatchObject({ request_units: 3, delivered_units: 12 });
});

test('a target cuts the shortlist', async () => {
  const subscriber = await createSubscriber(stack);
  const found = await pages(subscriber, { query, limit: 3, target: 7 });
  expect(found.map((page) => page.companies.length)).toEqual([3, 3, 1]);
  expect(found[0]?.coverage).toMatchObject({ target_companies: 7, available_companies: 7, requested_companies: 3 });
});

test('a later page ignores what was recorded after the first', async () => {
  const subscriber = await createSubscriber(stack);
  const first = await subscriber.search({ query, limit: 4 });
  await recordEvidence(
    stack,
    [{ key: 'late', name: 'Late Glass' }],
    [
      {
        key: 'late',
        companyKey: 'late',
        observedFact: 'Late Glass opens a glass furnace, glass furnace, glass furnace',
      },
    ],
  );
  const second = await subscriber.search({ query, limit: 4, cursor: first.body.next_cursor });
  expect(idsOf(second.body)).toHaveLength(4);
  expect(second.body.companies.map((company: { name: string }) => company.name)).not.toContain('Late Glass');
});

test('evidence withdrawn between pages shortens a later page and shifts nothing', async () => {
  const subscriber = await createSubscriber(stack);
  const all = (await pages(subscriber, { query, limit: 13, filters: { domains: hostnames(12) } })).flatMap(idsOf);
  const first = await subscriber.search({ query, limit: 4, filters: { domains: hostnames(12) } });
  const gone = all[5] ?? 0;
  const observation =
    Object.entries(recorded.companies)
      .find(([, id]) => id === gone)?.[0]
      .replace('c', 'o') ?? '';
  const observationId = BigInt(recorded.observations[observation] ?? 0);
  await stack.record.withdrawEvidence({ observationId, reason: 'test' });
  const rest = [];
  for (let cursor = first.body.next_cursor; cursor; ) {
    const page = await subscriber.search({ query, limit: 4, filters: { domains: hostnames(12) }, cursor });
    rest.push(...idsOf(page.body));
    expect(page.body.withheld_units).toBe(0);
    cursor = page.body.next_cursor;
  }
  await stack.record.restoreEvidence({ observationId });
  expect([...idsOf(first.body), ...rest]).toEqual(all.filter((id) => id !== gone));
});

test('a page is an operation of its own: its retry replays it, with the same next cursor', async () => {
  const subscriber = await createSubscriber(stack);
  const first = await subscriber.search({ query, limit: 4 });
  const key = randomUUID();
  const body = { query, limit: 4, cursor: first.body.next_cursor };
  const second = await subscriber.search(body, key);
  const again = await subscriber.search(body, key);
  expect(again.body).toEqual(second.body);
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 2, delivered_units: 8 });
});

test('a cursor is bound to account, query, filters, limit and target, and to every bit of itself', async () => {
  const subscriber = await createSubscriber(stack);
  const stranger = await createSubscriber(stack);
  const { body } = await subscriber.search({ query, limit: 4 });
  const cursor = body.next_cursor;
  assert(cursor);
  const flipped = `${cursor.slice(0, 9)}${cursor[9] === 'A' ? 'B' : 'A'}${cursor.slice(10)}`;
  const attempts = [
    await stranger.search({ query, limit: 4, cursor }),
    await subscriber.search({ query: 'glass', limit: 4, cursor }),
    await subscriber.search({ query, limit: 5, cursor }),
    await subscriber.search({ query, limit: 4, target: 4, cursor }),
    await subscriber.search({ query, limit: 4, filters: { countries: ['CA'] }, cursor }),
    await subscriber.search({ query, limit: 4, cursor: flipped }),
    await subscriber.search({ query, limit: 4, cursor: cursor.slice(0, -1) }),
    await subscriber.search({ query, limit: 4, cursor: 'x'.repeat(600) }),
  ];
  for (const attempt of attempts) expect([attempt.status, attempt.body.error?.code]).toEqual([422, 'invalid_cursor']);
  expect((await stranger.report()).body.usage.request_units).toBe(0);
});

function hostnames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `northwind${index + 1}.example`);
}
