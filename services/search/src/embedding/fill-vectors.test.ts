import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Retrieval } from '@ces/proto/ces/search/v1/search_pb.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';
import { EndpointFailure } from '../endpoint/endpoint.ts';
import { start } from '../start.ts';
import type { Embedder } from './embedder.ts';
import { readVectorFeed, readVectors, writeVectors } from './vector-table.ts';

function createWordEmbedder(model: string, words: readonly string[]) {
  const given: string[] = [];
  let failing = false;
  let refused: string | undefined;
  let refusals = 0;
  const embedder: Embedder = {
    model,
    async embed(texts, purpose) {
      if (failing) throw new EndpointFailure('it is out of order');
      if (texts.some((text) => text === refused)) {
        refusals += 1;
        throw new EndpointFailure('no', { isRefusal: true });
      }
      if (purpose === 'passage') given.push(...texts);
      return texts.map((text) => Float32Array.from(words, (word) => text.split(word).length - 1));
    },
  };
  const embedders = { queries: embedder, passages: embedder, [Symbol.asyncDispose]: async () => undefined };
  return {
    embedders,
    given,
    fail: (fails: boolean) => (failing = fails),
    refuse: (text: string) => (refused = text),
    refusals: () => refusals,
  };
}

const cleanup = new Set<AsyncDisposable>();
let model: ReturnType<typeof createWordEmbedder>;
let stack: SearchStack;
let pool: Pool;
beforeEach(async () => {
  model = createWordEmbedder('words/1', ['plant', 'store']);
  stack = await startSearchStack({ embedders: model.embedders, lookEveryMs: 20 });
  const logger = createLogger('test', 'silent');
  pool = createPool({ connectionString: stack.database.url, max: 2, applicationName: 'search test', logger });
});
afterEach(async () => {
  await pool.end();
  for (const one of cleanup) await one[Symbol.asyncDispose]();
  cleanup.clear();
  await stack[Symbol.asyncDispose]();
});

const THREE = {
  companies: [company(1n, 'Harbor Cells'), company(2n, 'Corner Works'), company(3n, 'Dawson Mills')],
  observations: [
    observation(11n, 1n, 'a battery plant', { excerpts: ['The plant.', 'More.'] }),
    observation(21n, 2n, 'a battery store'),
    observation(31n, 3n, 'a battery'),
  ],
};

async function vectorsOf(name: string, ...ids: readonly bigint[]) {
  const vectors = await readVectors(pool, ids, name);
  return ids.map((id) => vectors.get(id) && [...(vectors.get(id) ?? [])]);
}

const untilMade = (name: string, ...expected: readonly (readonly number[])[]) =>
  expect.poll(() => vectorsOf(name, 11n, 21n, 31n)).toEqual(expected);

test('every observation of the record gets the vector of its fact and excerpts, in one byte a dimension', async () => {
  stack.record.put(THREE);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  expect(model.given.toSorted()).toEqual(['a battery', 'a battery plant The plant. More.', 'a battery store']);
});

test('a changed text gets another vector, an unchanged one is not sent again, and a deleted one has none', async () => {
  stack.record.put(THREE);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  model.given.length = 0;
  const [first, second, third] = THREE.observations;
  stack.record.put({
    observations: [
      { ...first, version: 2n },
      { ...second, version: 2n, observedFact: 'a battery plant and store' },
      { ...third, version: 2n, tombstone: true },
    ],
  });
  await expect.poll(() => vectorsOf('words/1', 11n, 21n, 31n)).toEqual([[127, 0], [127, 127], undefined]);
  expect(model.given).toEqual(['a battery plant and store']);
});

test('an observation without a vector keeps the place that words give it', async () => {
  model.fail(true);
  const tx = stack.record.put(THREE);
  expect((await searchFor(stack, 'battery store', { waitForTx: tx })).retrieval).toBe(Retrieval.LEXICAL);
  model.fail(false);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  const { retrieval, companies } = await searchFor(stack, 'battery store');
  expect(retrieval).toBe(Retrieval.HYBRID);
  expect(companies[0]?.companyId).toBe(2n);
});

test('a text that the endpoint refuses has no vector, and all others have theirs', async () => {
  model.refuse('a battery store');
  stack.record.put(THREE);
  await expect.poll(() => vectorsOf('words/1', 11n, 21n, 31n)).toEqual([[127, 0], undefined, [0, 0]]);
  await expect.poll(() => readVectorFeed(pool, 'words/1')).toBeDefined();
});

test('an endpoint that refuses everything is asked again', async () => {
  model.refuse('a battery plant');
  stack.record.put({
    companies: THREE.companies,
    observations: [observation(11n, 1n, 'a battery plant'), observation(21n, 2n, 'a battery plant')],
  });
  await expect.poll(() => model.refusals()).toBeGreaterThan(0);
  expect(await readVectorFeed(pool, 'words/1')).toBeUndefined();
  model.refuse('none');
  await expect
    .poll(() => vectorsOf('words/1', 11n, 21n))
    .toEqual([
      [127, 0],
      [127, 0],
    ]);
});

test('another model computes all vectors again, and vectors of different models are never compared', async () => {
  stack.record.put(THREE);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  await stack.stop();
  const other = createWordEmbedder('words/2', ['battery', 'plant', 'store']);
  other.fail(true);
  const service = await start(stack.config, createLogger('search', 'silent'), {
    embedders: other.embedders,
    lookEveryMs: 20,
  });
  cleanup.add(service);
  expect(await vectorsOf('words/2', 11n, 21n, 31n)).toEqual([undefined, undefined, undefined]);
  other.fail(false);
  await untilMade('words/2', [64, 127, 0], [127, 0, 127], [127, 0, 0]);
  expect(await vectorsOf('words/1', 11n)).toEqual([undefined]);
});

test('a record of another history is read from its beginning', async () => {
  stack.record.put(THREE);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  model.given.length = 0;
  stack.record.forget([31n]);
  stack.record.beginEpoch(5n);
  stack.record.put({ observations: [{ ...THREE.observations[2], observedFact: 'a plant' }] });
  await untilMade('words/1', [127, 0], [0, 127], [127, 0]);
  expect(model.given).toEqual(['a plant']);
});

test('a process that was stopped while another leads writes neither vectors nor position', async () => {
  stack.record.put(THREE);
  await untilMade('words/1', [127, 0], [0, 127], [0, 0]);
  const position = await readVectorFeed(pool, 'words/1');
  const late = {
    model: 'words/1',
    vectors: [{ observationId: 11n, digest: Buffer.from('old'), vector: Int8Array.of(1, 1) }],
    gone: [21n],
    to: undefined,
  };
  expect(await writeVectors(pool, late, 0n)).toBe(false);
  expect(await vectorsOf('words/1', 11n, 21n)).toEqual([
    [127, 0],
    [0, 127],
  ]);
  expect(await readVectorFeed(pool, 'words/1')).toEqual(position);
});
