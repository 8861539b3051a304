import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import type { CrossEncoder } from '../reranking/cross-encoder.ts';

const MODEL = 'all alike';
const words = { constant: 0, score: 0, highest: 0 };
const calibration = {
  version: 3,
  trusted: false,
  fitted: { date: '2026-11-01', queries: 200, companies: 2000, expectedError: 0.2 },
  weights: words,
  meaning: { ...words, model: MODEL, similarity: 0 },
  reading: { ...words, model: MODEL, similarity: 0, crossEncoder: 'shops', logOdds: 1 },
};

const read: string[] = [];
let isFailing = false;
let stack: SearchStack;
beforeAll(async () => {
  const embedder: Embedder = { model: MODEL, embed: async (texts) => texts.map(() => Float32Array.of(1, 0)) };
  /* Each mention of a shop raises the odds. */
  const crossEncoder: CrossEncoder = {
    crossEncoder: 'shops',
    async score(_query, passages) {
      if (isFailing) throw new EndpointFailure('it is out of order');
      read.push(...passages);
      return passages.map((passage) => passage.split('shop').length);
    },
  };
  const embedders = {
    queries: embedder,
    passages: embedder,
    crossEncoder,
    [Symbol.asyncDispose]: async () => undefined,
  };
  stack = await startSearchStack({ embedders, calibration, lookEveryMs: 20 });
  const tx = stack.record.put({
    companies: [company(1n, 'Harbor Cells'), company(2n, 'Corner Works')],
    observations: [
      observation(11n, 1n, 'Harbor Cells opened a battery plant, a battery plant'),
      observation(21n, 2n, 'opened a shop that has a battery on each shelf', { excerpts: ['A shop.', 'In town.'] }),
    ],
  });
  await searchFor(stack, 'battery', { waitForTx: tx });
  const hasVectors = async () => expect((await searchFor(stack, 'battery')).retrieval).toBe(Retrieval.HYBRID);
  await vi.waitFor(hasVectors, { timeout: 60_000 });
});
beforeEach(() => {
  read.length = 0;
});
afterAll(() => stack[Symbol.asyncDispose]());

test('reads kind, place, month, company, fact and excerpts, and decides the order', async () => {
  const { companies } = await searchFor(stack, 'battery plant');
  expect(companies.map(({ companyId }) => companyId)).toEqual([2n, 1n]);
  expect(read.toSorted()).toEqual([
    expect.stringMatching(
      /^[a-z ]+, (CA|US), (\d{4}-\d{2})?, Corner Works: opened a shop .* shelf A shop\. In town\.$/,
    ),
    expect.stringMatching(/^[a-z ]+, (CA|US), (\d{4}-\d{2})?: Harbor Cells opened a battery plant/),
  ]);
});

test('that fails leaves the order to words and vectors', async () => {
  isFailing = true;
  const { companies, retrieval } = await searchFor(stack, 'battery plant');
  expect(companies.map(({ companyId }) => companyId)).toEqual([1n, 2n]);
  expect(retrieval).toBe(Retrieval.HYBRID);
});
