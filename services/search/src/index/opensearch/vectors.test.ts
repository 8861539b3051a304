import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findOpenSearch } from '@ces/test/support/opensearch/assemble.ts';
import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { startOpenSearch } from '@ces/test/support/opensearch/server.ts';
import { describe, expect, test } from 'vitest';
import { company, observation } from '../../../test-support/documents.ts';
import { batchOf } from '../../../test-support/index-under-test.ts';
import { startInterceptingProxy } from '../../../test-support/intercepting-proxy.ts';
import { type OpenSearchUnderTest, openOpenSearchIndex } from '../../../test-support/opensearch-under-test.ts';
import { digestOf } from '../../embedding/observation-vector.ts';
import { writeVectors } from '../../embedding/vector-table.ts';
import type { Ranking } from '../../ranking/ranking.ts';

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
    const rank = async (model: string) => idsOf(await subject.rank('zeppelins', undefined, false, meaning(model)));
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
    const rank = async () => idsOf(await subject.rank('zeppelins', undefined, false, meaning('one/1')));
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
    const rank = async () => idsOf(await subject.rank('zeppelins', undefined, false, meaning('one/1')));
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
    expect(idsOf(await subject.rank('depot', undefined, false, meaning('one/1')))).toEqual([11n]);
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
      const { hits } = await subject.rank('opened', undefined, false, meaning('one/1'));
      expect(hits.map(({ observationId }) => observationId)).toEqual([21n, 11n]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
