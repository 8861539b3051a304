import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBody, expectRefusal } from '../support/contract/interface.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type SubscriberOptions } from '../support/subscriber.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(8, 'battery plant');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const query = 'battery plant';

async function firstPage(input: Record<string, unknown>, options: SubscriberOptions = {}) {
  const subscriber = await createSubscriber(stack, { plan: 'builder', ...options });
  const key = randomUUID();
  const answer = await subscriber.search({ query, ...input }, key);
  expectBody(answer, 200, 'CompanyResult');
  return { subscriber, key, body: answer.body };
}

test('when next_cursor is not null the same search with it and a new key is the next page, until it is null', async () => {
  const { subscriber, body } = await firstPage({ limit: 5 });
  expect(body.next_cursor).toEqual(expect.any(String));
  const next = await subscriber.search({ query, limit: 5, cursor: body.next_cursor });
  expectBody(next, 200, 'CompanyResult');
  expect(next.body.companies).toHaveLength(3);
  expect(next.body.next_cursor).toBeNull();
  expect(next.body.coverage).toMatchObject({
    occurred_after: body.coverage.occurred_after,
    requested_companies: 5,
    returned_companies: 3,
    stop_reason: 'shortlist_page',
  });
});

test('each new page needs a new key: with the key of the page before it conflicts', async () => {
  const { subscriber, key, body } = await firstPage({ limit: 5 });
  const next = { query, limit: 5, cursor: body.next_cursor };
  expectRefusal(await subscriber.search(next, key), 422, 'idempotency_conflict');
  expectBody(await subscriber.search(next), 200, 'CompanyResult');
});

test.each([
  ['another query', { query: 'battery', limit: 5 }],
  ['other filters', { query, limit: 5, filters: { countries: ['CA'] } }],
  ['another limit', { query, limit: 4 }],
  ['a target that was omitted before', { query, limit: 5, target: 10 }],
])('a cursor with %s is invalid_cursor, and restarting without it is not', async (_name, input) => {
  const { subscriber, body } = await firstPage({ limit: 5 });
  expectRefusal(await subscriber.search({ ...input, cursor: body.next_cursor }), 422, 'invalid_cursor');
  expectBody(await subscriber.search(input), 200, 'CompanyResult');
});

test("another account's cursor is invalid_cursor", async () => {
  const { body } = await firstPage({ limit: 5 });
  const stranger = await createSubscriber(stack, { plan: 'builder' });
  const answer = await stranger.search({ query, limit: 5, cursor: body.next_cursor });
  expectRefusal(answer, 422, 'invalid_cursor');
});

test('every page of a paginated search is subject to the limits', async () => {
  const { subscriber, body } = await firstPage({ limit: 5 }, { limits: { windowRequestUnits: 1n } });
  const refused = await subscriber.search({ query, limit: 5, cursor: body.next_cursor });
  expectRefusal(refused, 429, 'request_limit_reached');
  expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 1, delivered_units: 5 });
});

test('available_companies counts the frozen shortlist and may exceed target_companies when no target was given', async () => {
  const { body } = await firstPage({ limit: 2 });
  expect(body.coverage).toMatchObject({ target_companies: 2, available_companies: 8, returned_companies: 2 });
});

test('with a target the shortlist is capped by it', async () => {
  const { body } = await firstPage({ limit: 2, target: 3 });
  expect(body.coverage).toMatchObject({ target_companies: 3, available_companies: 3, returned_companies: 2 });
});
