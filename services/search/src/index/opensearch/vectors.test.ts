import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findOpenSearch } from '@ces/test/support/opensearch/assemble.ts';
import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { startOpenSearch } from '@ces/test/support/opensearch/server.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { company, observation } from '../../../test-support/documents.ts';
import { batchOf } from '../../../test-support/index-under-test.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../test-support/intercepting-proxy.ts';
import {
  type OpenSearchUnderTest,
  openOpenSearchIndex,
  positionAt,
} from '../../../test-support/opensearch-under-test.ts';
import { digestOf } from '../../embedding/observation-vector.ts';
import { writeVectors } from '../../embedding/vector-table.ts';
import type { QueryMeaning, Ranking } from '../../ranking/ranking.ts';
import type { ObservationIndex } from '../observation-index.ts';

const STARTED_WITHIN_MS = 240_000;
const EAST = pointing(100, 0);
const NORTH = pointing(0, 100);

const UNKNOWN_SETTING = { error: { type: 'illegal_argument_exception', reason: 'unknown setting' }, status: 400 };

function pointing(x: number, y: number): Int8Array {
  return Int8Array.from({ length: 384 }, (_, at) => [x, y][at] ?? 0);
}

function meaning(model: string) {
  return { model, vector: EAST, weight: 20, findsFrom: 0.5 };
}

function idsOf({ hits }: Ranking): bigint[] {
  return hits.map(({ observationId }) => observationId).toSorted((a, b) => Number(a - b));
}

/** The index has not read it yet. */
async function writeNewVector({ pool }: OpenSearchUnderTest, observationId: bigint, model: string): Promise<void> {
  const vectors = [{ observationId, vector: EAST, digest: digestOf('') }];
  await writeVectors(pool, { model, vectors, gone: [], to: undefined }, 1n);
}

const DOCUMENTS = {
  companies: [company(1n, 'Harbor Cells'), company(2n, 'Bakers')],
  observations: [observation(11n, 1n, 'opened a depot'), observation(21n, 2n, 'opened a mill')],
};

describeWithOpenSearch('vectors in OpenSearch', () => {
  test('those of another model replace the former ones one by one', async () => {
    await using subject = await openOpenSearchIndex({ model: 'old/1' });
    await subject.apply(DOCUMENTS);
    await subject.writeVectors([
      [11n, EAST],
      [21n, EAST],
    ]);
    const newer = subject.another({ model: 'new/1' });
    const documents = batchOf(DOCUMENTS).observations;
    const replace = async (observationId: bigint) => {
      await writeNewVector(subject, observationId, 'new/1');
      /* The process of the former model may still lead. */
      await subject.index.applyVectors?.(async () => documents, 1n);
      await newer.applyVectors?.(async (ids) => documents.filter(({ id }) => ids.includes(id)), 1n);
    };
    const rank = async (model: string) => idsOf(await subject.rank('zeppelins', undefined, meaning(model)));
    expect([await rank('old/1'), await rank('new/1')]).toEqual([[11n, 21n], []]);
    await replace(11n);
    expect([await rank('old/1'), await rank('new/1')]).toEqual([[21n], [11n]]);
    await replace(21n);
    expect([await rank('old/1'), await rank('new/1')]).toEqual([[], [11n, 21n]]);
  });

  test('a process that was stopped while another leads writes no vectors', async () => {
    await using subject = await openOpenSearchIndex({ model: 'one/1' });
    await subject.apply(DOCUMENTS);
    await writeNewVector(subject, 11n, 'one/1');
    const documentsOf = async () => batchOf(DOCUMENTS).observations.slice(0, 1);
    const rank = async () => idsOf(await subject.rank('zeppelins', undefined, meaning('one/1')));
    await subject.index.applyVectors?.(documentsOf, 0n);
    expect(await rank()).toEqual([]);
    await subject.index.applyVectors?.(documentsOf, 1n);
    expect(await rank()).toEqual([11n]);
  });

  test('an index without vectors gets them by a rebuild once the server has the plugin', async () => {
    await using subject = await openOpenSearchIndex({ model: 'one/1' });
    await using withoutPlugin = await startInterceptingProxy(subject.url);
    withoutPlugin.intercept = ({ method, body }) =>
      method === 'PUT' && body.includes('"knn":true') ? { status: 400, body: UNKNOWN_SETTING } : 'pass';
    const before = subject.another({ url: withoutPlugin.url });
    await before.maintain();
    await subject.apply(DOCUMENTS);
    await subject.writeVectors([[11n, EAST]]);
    const rank = async () => idsOf(await subject.rank('zeppelins', undefined, meaning('one/1')));
    expect(await rank()).toEqual([]);
    await subject.index.beginRebuild();
    await subject.applyRebuild(DOCUMENTS);
    await subject.writeVectors([[21n, EAST]]);
    await subject.index.finishRebuild(1n);
    expect(await rank()).toEqual([11n, 21n]);
  });

  test('vectors of another length are not indexed, and stop nothing', async () => {
    await using subject = await openOpenSearchIndex({ model: 'one/1' });
    await subject.apply(DOCUMENTS);
    await subject.writeVectors([
      [11n, Int8Array.of(1, 2)],
      [21n, pointing(0, 0)],
    ]);
    await subject.apply({ observations: DOCUMENTS.observations.map((one) => ({ ...one, version: 2n })) });
    expect(idsOf(await subject.rank('depot', undefined, meaning('one/1')))).toEqual([11n]);
  });
});

const UNAVAILABLE = { error: { type: 'circuit_breaking_exception', reason: 'Data too large' }, status: 503 };

describeWithOpenSearch('words alone answer, as without an encoder', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let index: ObservationIndex;

  beforeEach(async () => {
    subject = await openOpenSearchIndex({ model: 'one/1' });
    proxy = await startInterceptingProxy(subject.url);
    index = subject.another({ url: proxy.url, timeoutMs: 4_000 });
    await subject.apply(DOCUMENTS);
    await subject.writeVectors([[11n, EAST]]);
  });
  afterEach(async () => {
    await subject[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const rank = (asked?: QueryMeaning) => subject.rankWith(index)('mill', undefined, asked);
  const asksVectors = ({ body }: { readonly body: string }) => body.includes('"knn"');

  test('if the index has no field of vectors', async () => {
    proxy.intercept = ({ method, body }) =>
      method === 'PUT' && body.includes('"knn":true') ? { status: 400, body: UNKNOWN_SETTING } : 'pass';
    await index.beginRebuild();
    const range = { feed: 'rebuild', from: undefined, to: positionAt(9n), complete: true } as const;
    await index.apply({ ...batchOf(DOCUMENTS), range }, 1n);
    await index.finishRebuild(1n);
    const [name = ''] = (await subject.indices()).filter((one) => one.includes('observation'));
    await subject.client.indices.putAlias({ index: name, name: `${name}-vectors` });
    index = subject.another();
    const ranking = await rank(meaning('one/1'));
    expect(idsOf(ranking)).toEqual([21n]);
    expect(ranking).toEqual(await rank());
  });

  test('if the query by vectors is refused; after five times it is not asked for a while', async () => {
    proxy.intercept = (request) => (asksVectors(request) ? { status: 503, body: UNAVAILABLE } : 'pass');
    const byWords = await rank();
    let asked = 0;
    proxy.hold = async (request) => {
      if (asksVectors(request)) asked += 1;
    };
    const rankings = await Promise.all(Array.from({ length: 5 }, () => rank(meaning('one/1'))));
    expect(rankings).toEqual(rankings.map(() => byWords));
    const before = asked;
    expect(await rank(meaning('one/1'))).toEqual(byWords);
    expect([before > 0, asked]).toEqual([true, before]);
  });

  test('if the query by vectors has no answer in time', async () => {
    const waited = Promise.withResolvers<void>();
    proxy.hold = async (request) => (asksVectors(request) ? await waited.promise : undefined);
    const ranking = await rank(meaning('one/1'));
    waited.resolve();
    expect(ranking).toEqual(await rank());
  });

  test('if the stored vectors cannot be read', async () => {
    const owner = new pg.Client({ connectionString: subject.database.ownerUrl });
    await owner.connect();
    await owner.query('alter table observation_vector rename to elsewhere');
    await owner.end();
    expect(await rank(meaning('one/1'))).toEqual(await rank());
  });
});

/* A server named by the environment provides no program to start nodes with. */
const describeServer = (await findOpenSearch()) === undefined ? describe.skip : describeWithOpenSearch;

describeServer('a server without the k-NN plugin', () => {
  test('words find, and stored vectors order', { timeout: STARTED_WITHIN_MS }, async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-opensearch-'));
    try {
      await using server = await startOpenSearch({ directory, heapMb: 256, vectors: false });
      await using subject = await openOpenSearchIndex({ url: server.url, model: 'one/1' });
      await subject.apply({
        ...DOCUMENTS,
        observations: [...DOCUMENTS.observations, observation(22n, 2n, 'closed a bakery')],
      });
      await subject.writeVectors([
        [11n, NORTH],
        [21n, EAST],
        [22n, EAST],
      ]);
      const { hits } = await subject.rank('opened', undefined, meaning('one/1'));
      expect(hits.map(({ observationId }) => observationId)).toEqual([21n, 11n]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
