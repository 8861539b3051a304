import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { untilVectors } from '../support/until-vectors.ts';

let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  stack = await startTestStack({ env: { CES_SEARCH_EMBEDDER: 'built-in' } });
  const topics = ['water park tickets', 'water polo team', 'water bottling line', 'water main replacement'];
  await recordEvidence(
    stack,
    topics.map((topic) => ({ key: topic, name: `Northwind ${topic.length} Ltd` })),
    topics.map((topic) => ({ key: `about ${topic}`, companyKey: topic, observedFact: `Announced: ${topic}` })),
  );
  await untilVectors(stack, topics.length);
  subscriber = await createSubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

test('of companies that words find alike, the one that is meant comes first, over REST, in a result that says why', async () => {
  const { status, body } = await subscriber.search({ query: 'water pipes under the streets of a town' }, 'pipes');
  expect(status).toBe(200);
  expect(body.retrieval).toBe('hybrid');
  expect(body.coverage.limitations).not.toContain('lexical_only');
  expect(body.companies).toHaveLength(4);
  expect(body.companies[0]?.observations[0]?.observed_fact).toContain('water main replacement');
});
