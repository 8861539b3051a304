import { type ModelEndpoint, saying, startModelEndpoint } from '@ces/search/test-support/model-endpoint';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

const ANSWER = {
  activity: [{ words: 'battery', weight: 1, related: [] }],
  company: [],
  kinds: [],
  places: [],
  since: null,
};

let endpoint: ModelEndpoint;
let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  endpoint = await startModelEndpoint();
  stack = await startTestStack({
    env: { CES_SEARCH_PLANNER_URL: endpoint.url, CES_SEARCH_PLANNER_MODEL: 'some-model' },
  });
  subscriber = await createSubscriber(stack);
});
beforeEach(() => {
  endpoint.calls.length = 0;
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});

test('the plan of an outside planner is frozen: a retry asks for no other', async () => {
  endpoint.answer(saying(ANSWER));
  const first = await subscriber.search({ query: 'who builds accumulators' }, 'frozen');
  expect(first).toMatchObject({ status: 200 });
  endpoint.answer(saying({ ...ANSWER, activity: [{ words: 'something else', weight: 1, related: [] }] }));
  expect((await subscriber.search({ query: 'who builds accumulators' }, 'frozen')).body).toEqual(first.body);
  expect(endpoint.calls).toHaveLength(1);
  const { planJson } = await stack.operationsAdmin.getOperationRecord({ operationId: BigInt(first.body.usage.id) });
  expect(JSON.parse(planJson).plan).toMatchObject({
    planner: 'outside/1 some-model',
    activity: [{ words: ['battery'] }],
  });
});

test('a search that an outside planner does not plan is planning_unavailable and costs nothing', async () => {
  endpoint.answer((response) => response.writeHead(500).end('no'));
  const failed = await subscriber.search({ query: 'who builds accumulators' }, 'failed');
  expect(failed).toMatchObject({ status: 422, body: { error: { code: 'planning_unavailable' } } });
  expect(failed.body.usage).toMatchObject({ request_units: 0, delivered_units: 0 });
  endpoint.answer(saying(ANSWER));
  expect(await subscriber.search({ query: 'who builds accumulators' }, 'failed')).toMatchObject({
    status: 422,
    body: { error: { code: 'planning_unavailable' } },
  });
});
