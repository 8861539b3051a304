import { type ModelEndpoint, startModelEndpoint } from '@ces/search/test-support/model-endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { untilVectors } from '../support/until-vectors.ts';

const anyVectors: Parameters<ModelEndpoint['answer']>[0] = (response, { body }) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: (body.input ?? []).map((_, index) => ({ index, embedding: [1, index] })) }));

let endpoint: ModelEndpoint;
let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  endpoint = await startModelEndpoint();
  stack = await startTestStack({
    env: { CES_SEARCH_EMBEDDING_URL: endpoint.url, CES_SEARCH_EMBEDDING_MODEL: 'some-model' },
  });
  endpoint.answer(anyVectors);
  const { companies, observations } = facilities(4, 'battery storage plant');
  await recordEvidence(stack, companies, observations);
  await untilVectors(stack, observations.length);
  subscriber = await createSubscriber(stack);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});

test('a result states whether vectors affected its order, and a retry returns the same without them', async () => {
  const hybrid = await subscriber.search({ query: 'battery plants' }, 'hybrid');
  expect(hybrid).toMatchObject({ status: 200, body: { retrieval: 'hybrid' } });
  expect(hybrid.body.companies.length).toBeGreaterThan(1);
  expect(hybrid.body.coverage.limitations).not.toContain('lexical_only');

  endpoint.answer((response) => response.writeHead(500).end());
  const lexical = await subscriber.search({ query: 'battery storage plants' }, 'lexical');
  expect(lexical).toMatchObject({ status: 200, body: { retrieval: 'lexical' } });
  expect(lexical.body.coverage.limitations).toContain('lexical_only');
  const retry = await subscriber.search({ query: 'battery plants' }, 'hybrid');
  expect(retry.body).toEqual({ ...hybrid.body, request_allowance: retry.body.request_allowance });
});
