import { type ModelEndpoint, startModelEndpoint } from '@ces/search/test-support/model-endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';

let endpoint: ModelEndpoint;
let stack: TestStack;
let subscriber: Subscriber;
beforeAll(async () => {
  endpoint = await startModelEndpoint();
  stack = await startTestStack({
    env: {
      CES_SEARCH_RERANK_URL: endpoint.url,
      CES_SEARCH_RERANK_MODEL: 'some-model',
      CES_SEARCH_RERANK_SHARE: '1000',
    },
  });
  const { companies, observations } = facilities(4, 'battery storage plant');
  await recordEvidence(stack, companies, observations);
  subscriber = await createSubscriber(stack);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});

function order(best: 'last' | 'first'): void {
  endpoint.answer((response, { body }) => {
    const results = (body.documents ?? []).map((_, index) => ({
      index,
      relevance_score: best === 'last' ? index : -index,
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
  });
}

const idsOf = (page: { body: { companies: { id: number }[] } }) => page.body.companies.map(({ id }) => id);

test('a reranker orders a search once: retries and later pages keep its order whatever it says then', async () => {
  order('last');
  const search = { query: 'battery plants', limit: 2, target: 4 };
  const first = await subscriber.search(search, 'reranked');
  expect(first).toMatchObject({ status: 200, body: { retrieval: 'hybrid' } });
  expect(first.body.coverage.limitations).not.toContain('lexical_only');
  const whole = await subscriber.search({ query: 'battery plants', limit: 4, target: 4 }, 'whole');
  expect(idsOf(whole)).toHaveLength(4);
  expect(idsOf(first)).toEqual(idsOf(whole).slice(0, 2));

  order('first');
  const other = await subscriber.search({ query: 'battery plants', limit: 4, target: 4 }, 'other');
  expect(idsOf(other)).toEqual(idsOf(whole).toReversed());
  const asked = endpoint.calls.length;
  const retry = await subscriber.search(search, 'reranked');
  expect(retry.body).toEqual({ ...first.body, request_allowance: retry.body.request_allowance });
  const second = await subscriber.search({ ...search, cursor: first.body.next_cursor }, 'second page');
  expect(idsOf(second)).toEqual(idsOf(whole).slice(2));
  expect(second.body.retrieval).toBe('hybrid');
  expect(endpoint.calls).toHaveLength(asked);
});

test('a reranker that is away leaves the order to words, and the result says so', async () => {
  endpoint.answer((response) => response.writeHead(503).end());
  const { body } = await subscriber.search({ query: 'battery storage plants' }, 'away');
  expect(body).toMatchObject({ retrieval: 'lexical' });
  expect(body.companies.length).toBeGreaterThan(1);
  expect(body.coverage.limitations).toContain('lexical_only');
});
