import type { ServerResponse } from 'node:http';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type ModelEndpoint, startModelEndpoint } from '../../test-support/model-endpoint.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';
import { readVectors } from '../embedding/vector-table.ts';

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
      CES_SEARCH_EMBEDDING_URL: endpoint.url,
      CES_SEARCH_EMBEDDING_MODEL: 'some-model',
      CES_SEARCH_EMBEDDING_KEY: KEY,
      CES_SEARCH_EMBEDDING_TIMEOUT_MS: '1000',
    },
  );
  endpoint.answer(storesFirst);
  const tx = stack.record.put({
    companies: [company(1n, 'Harbor Cells'), company(2n, 'Corner Works'), company(3n, 'Dawson Mills')],
    observations: [
      observation(11n, 1n, 'opened a battery plant, a battery plant'),
      observation(21n, 2n, 'opened a battery store of great size in a long sentence', { excerpts: ['A store.'] }),
      observation(31n, 3n, 'a battery'),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
  await untilVectors();
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

async function untilVectors(): Promise<void> {
  const logger = createLogger('test', 'silent');
  const pool = createPool({ connectionString: stack.database.url, max: 1, applicationName: 'search test', logger });
  const made = async () => expect(await readVectors(pool, [11n, 21n, 31n], 'some-model')).toHaveProperty('size', 3);
  await vi.waitFor(made, { timeout: 60_000 });
  await pool.end();
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Embeds texts about a store next to every query. */
const storesFirst: How = (response, { body }) =>
  json(response, {
    object: 'list',
    model: 'some-model',
    data: (body.input ?? [])
      .map((text, index) => ({ index, embedding: /store|which/.test(text) ? [1, 0] : [0, 1] }))
      .toReversed(),
  });

async function search() {
  const { companies, retrieval } = await searchFor(stack, 'which battery plant');
  return { retrieval, ids: companies.map(({ companyId }) => companyId) };
}

const FAILURES: readonly (readonly [string, How])[] = [
  ['no JSON', (response) => response.writeHead(200).end('<html>')],
  ['no list', (response) => json(response, { data: 'none' })],
  ['a vector too few', (response, { body }) => json(response, { data: vectors(body.input?.slice(1)) })],
  ['a vector too many', (response, { body }) => json(response, { data: vectors([...(body.input ?? []), 'x']) })],
  [
    'one vector twice',
    (response, { body }) =>
      json(response, { data: vectors([...(body.input ?? []), 'x']).map((one) => ({ ...one, index: 0 })) }),
  ],
  [
    'a vector of another length than those that are kept',
    (response, { body }) =>
      json(response, { data: vectors(body.input).map((one) => ({ ...one, embedding: [1, 2, 3] })) }),
  ],
  [
    'numbers beyond a float',
    (response, { body }) =>
      json(response, { data: vectors(body.input).map((one) => ({ ...one, embedding: [1e300, 1] })) }),
  ],
  ['words in place of numbers', (response) => json(response, { data: [{ index: 0, embedding: ['1'] }] })],
  ['too much', (response) => response.writeHead(200).end('x'.repeat(3_000_000))],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a refusal', (response) => response.writeHead(401).end(`wrong key ${KEY}`)],
  [
    'a broken answer',
    (response) => response.writeHead(200, { 'content-length': '9' }).end('{', () => response.destroy()),
  ],
  ['silence', () => undefined],
  ['an answer that never ends', (response) => void response.writeHead(200).write('{')],
];

function vectors(texts: readonly string[] = []) {
  return texts.map((_, index) => ({ index, embedding: [1, index] }));
}

test.each(FAILURES)('%s leaves the order to words, and the answer says so', async (_, how) => {
  endpoint.answer(how);
  const { ids, retrieval } = await search();
  expect(retrieval).toBe(Retrieval.LEXICAL);
  expect(ids).toEqual([1n, 3n, 2n]);
});

describe('an embedding endpoint that answers well', () => {
  beforeEach(() => endpoint.answer(storesFirst));

  test('affects the order, and the answer says so', async () => {
    const { ids, retrieval } = await search();
    expect(retrieval).toBe(Retrieval.HYBRID);
    expect(ids[0]).toBe(2n);
    expect(ids.toSorted()).toEqual([1n, 2n, 3n]);
  });

  test('receives only the query and the key', async () => {
    const { ids } = await search();
    expect(ids).toHaveLength(3);
    expect(endpoint.calls).toMatchObject([{ path: '/v1/embeddings', authorization: `Bearer ${KEY}` }]);
    expect(endpoint.calls[0]?.body).toEqual({
      model: 'some-model',
      input: ['which battery plant'],
      encoding_format: 'float',
    });
  });

  test('finds nothing by itself, since its cosines have another scale', async () => {
    const { companies, retrieval } = await searchFor(stack, 'zeppelins');
    expect(companies).toEqual([]);
    expect(retrieval).toBe(Retrieval.LEXICAL);
  });
});
