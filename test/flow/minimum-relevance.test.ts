import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  stack = await startTestStack({ env: { CES_SEARCH_MINIMUM_RELEVANCE: '1000' } });
  const { companies, observations } = facilities(4, 'battery storage plant');
  await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack);
}, 60_000);
afterAll(() => stack[Symbol.asyncDispose]());

test('what is not probable enough is neither delivered nor charged, and a retry says the same', async () => {
  const answer = await subscriber.search({ query: 'battery plants' }, 'sure');
  expect(answer).toMatchObject({ status: 200, body: { companies: [], next_cursor: null, withheld_units: 0 } });
  expect(answer.body.coverage).toMatchObject({ available_companies: 0, returned_companies: 0 });
  expect(answer.headers.get('units-settled')).toBe('request=1, delivered=0, fresh=0');
  const retry = await subscriber.search({ query: 'battery plants' }, 'sure');
  expect(retry.body).toEqual({ ...answer.body, request_allowance: retry.body.request_allowance });
});
