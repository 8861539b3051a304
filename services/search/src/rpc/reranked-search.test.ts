import type { ServerResponse } from 'node:http';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../test-support/model-endpoint.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';

const KEY = 'sk-not-to-be-seen';
type How = Parameters<ModelEndpoint['answer']>[0];

let now = Date.parse('2026-11-01T00:00:00Z');
let endpoint: ModelEndpoint;
let stack: SearchStack;
beforeAll(async () => {
  endpoint = await startModelEndpoint();
  stack = await startSearchStack(
    { clock: { now: () => new Date(now) } },
    {
      CES_SEARCH_RERANK_URL: endpoint.url,
      CES_SEARCH_RERANK_MODEL: 'some-model',
      CES_SEARCH_RERANK_KEY: KEY,
      CES_SEARCH_RERANK_TIMEOUT_MS: '1000',
      CES_SEARCH_RERANK_SHARE: '900',
    },
  );
  const many = Array.from({ length: 32 }, (_, at) => BigInt(100 + at));
  const tx = stack.record.put({
    companies: [
      company(1n, 'Harbor Cells', { profile: 'Makes cells.' }),
      company(2n, 'Corner Works'),
      company(3n, 'Dawson Mills'),
      ...many.map((id) => company(id, `Mill ${id}`)),
    ],
    observations: [
      observation(11n, 1n, 'opened a battery plant, a battery plant', {
        excerpts: ['The plant makes cells.', 'Another'],
      }),
      observation(12n, 1n, 'closed a battery plant'),
      observation(21n, 2n, 'opened a battery store of great size in a long sentence'),
      observation(31n, 3n, `a battery ${'\u{1F50B}'.repeat(400)}`),
      ...many.map((id) => observation(id * 10n, id, 'a sawmill')),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
});
beforeEach(() => {
  endpoint.calls.length = 0;
  /* Moves the clock past any pause of the circuit breaker. */
  now += 60_000;
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function results(texts: readonly string[] = []) {
  return texts.map((text, index) => ({ index, relevance_score: /store/.test(text) ? 4.5 : -2, document: { text } }));
}

/** Scores texts about a store highest for every query. */
const storesFirst: How = (response, { body }) =>
  json(response, {
    id: 'rerank-1',
    results: results(body.documents).toSorted((a, b) => b.relevance_score - a.relevance_score),
  });

async function search(query = 'which battery plant') {
  const { companies, retrieval } = await searchFor(stack, query);
  return { retrieval, ids: companies.map(({ companyId }) => companyId) };
}

const answering = (change: (all: ReturnType<typeof results>) => unknown): How => {
  return (response, { body }) => json(response, { results: change(results(body.documents)) });
};

const FAILURES: readonly (readonly [string, How])[] = [
  ['no JSON', (response) => response.writeHead(200).end('<html>')],
  ['nothing', (response) => response.writeHead(200).end()],
  ['no list', (response) => json(response, { results: 'none' })],
  ['a list without its object', (response, { body }) => json(response, results(body.documents))],
  ['a score too few', answering((all) => all.slice(1))],
  ['a score too many', answering((all) => [...all, { index: all.length, relevance_score: 1 }])],
  ['one index twice', answering((all) => all.map((one) => ({ ...one, index: 0 })))],
  ['one index twice beside all', answering((all) => [...all, all[0]])],
  ['an index beyond the texts', answering((all) => all.map((one) => ({ ...one, index: one.index + 1 })))],
  ['an index below zero', answering((all) => all.map((one) => ({ ...one, index: one.index - 1 })))],
  ['an index between two', answering((all) => all.map((one) => ({ ...one, index: one.index + 0.5 })))],
  ['no number', answering((all) => all.map((one) => ({ ...one, relevance_score: Number.NaN })))],
  ['words in place of numbers', answering((all) => all.map((one) => ({ ...one, relevance_score: '0.9' })))],
  ['numbers beyond a float', (response) => response.writeHead(200).end(withScores('1e999'))],
  [
    'numbers whose difference is none',
    answering((all) => all.map((one, at) => ({ ...one, relevance_score: at ? 1.7e308 : -1.7e308 }))),
  ],
  ['too much', (response) => response.writeHead(200).end('x'.repeat(3_000_000))],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a refusal', (response) => response.writeHead(401).end(`wrong key ${KEY}`)],
  ['a fault', (response) => response.writeHead(503).end()],
  [
    'a broken answer',
    (response) => response.writeHead(200, { 'content-length': '9' }).end('{', () => response.destroy()),
  ],
  ['silence', () => undefined],
  ['an answer that never ends', (response) => void response.writeHead(200).write('{')],
];

function withScores(number: string): string {
  return `{"results": [${[0, 1, 2].map((index) => `{"index": ${index}, "relevance_score": ${number}}`).join()}]}`;
}

test.each(FAILURES)('%s leaves the order to words, and the answer says so', async (_, how) => {
  endpoint.answer(how);
  expect(await search()).toEqual({ retrieval: Retrieval.LEXICAL, ids: [1n, 3n, 2n] });
  expect(endpoint.calls).toHaveLength(1);
});

test('an endpoint that keeps failing is spared for a while, and asked again after it', async () => {
  endpoint.answer((response) => response.writeHead(500).end());
  for (let time = 0; time < 8; time += 1) expect((await search()).retrieval).toBe(Retrieval.LEXICAL);
  expect(endpoint.calls.length).toBeLessThanOrEqual(5);
  const asked = endpoint.calls.length;
  now += 10_000;
  endpoint.answer(storesFirst);
  expect((await search()).retrieval).toBe(Retrieval.HYBRID);
  expect(endpoint.calls).toHaveLength(asked + 1);
});

describe('a reranking endpoint that answers well', () => {
  beforeEach(() => endpoint.answer(storesFirst));

  test('affects the order, and the answer says so', async () => {
    const { ids, retrieval } = await search();
    expect(retrieval).toBe(Retrieval.HYBRID);
    expect(ids).toEqual([2n, 1n, 3n]);
  });

  test('gets the query and what each company would show, with the key and nothing else', async () => {
    await search();
    const [call] = endpoint.calls;
    expect(call).toMatchObject({ path: '/v1/rerank', authorization: `Bearer ${KEY}` });
    expect(Object.keys(call?.body ?? {}).toSorted()).toEqual(['documents', 'model', 'query', 'top_n']);
    expect(call?.body).toMatchObject({ model: 'some-model', query: 'which battery plant', top_n: 3 });
    expect(call?.body.documents?.[0]).toBe(
      'Harbor Cells\nclosed a battery plant\nopened a battery plant, a battery plant The plant makes cells.\nMakes cells.',
    );
    for (const text of call?.body.documents ?? []) {
      expect(text.length).toBeLessThanOrEqual(2000);
      expect(text.isWellFormed()).toBe(true);
    }
  });

  test('orders the best thirty and puts the others after them', async () => {
    endpoint.answer((response, { body }) =>
      json(response, { results: (body.documents ?? []).map((_, index) => ({ index, relevance_score: index })) }),
    );
    const { ids } = await search('sawmill');
    expect(endpoint.calls[0]?.body.documents).toHaveLength(30);
    expect(ids.slice(30)).toEqual([130n, 131n]);
    expect(ids[0]).toBe(129n);
    expect(new Set(ids).size).toBe(32);
  });

  test('has no effect where it gives equal scores', async () => {
    endpoint.answer(answering((all) => all.map((one) => ({ ...one, relevance_score: 0.5 }))));
    expect(await search()).toEqual({ retrieval: Retrieval.LEXICAL, ids: [1n, 3n, 2n] });
  });

  test('is not asked where there is nothing to order', async () => {
    const { companies, retrieval } = await searchFor(stack, 'zeppelins');
    expect([companies, retrieval, endpoint.calls]).toEqual([[], Retrieval.LEXICAL, []]);
  });
});

test('a search that waits for it waits for half of its deadline at most', async () => {
  endpoint.answer(() => undefined);
  // Any answer proves that the call did not exceed its deadline.
  const { retrieval } = await searchFor(stack, 'battery', { timeoutMs: 6_000 });
  expect(retrieval).toBe(Retrieval.LEXICAL);
});
