import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observation } from '../../../../test-support/documents.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  changeOf,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { FeedPartition, ObservationIndex } from '../../observation-index.ts';

// Two projectors share a server and a database. Observation 1 belongs to the first partition,
// observation 2 to the second.

const FIRST = { partition: 0, of: 2 };
const SECOND = { partition: 1, of: 2 };
const THIRD_OF_FOUR = { partition: 2, of: 4 };

describeWithOpenSearch('partitions that share the change list', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let one: ObservationIndex;
  let other: ObservationIndex;
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    one = subject.index;
    other = subject.another({ url: proxy.url });
    await one.repartition(2, 1n);
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await subject[Symbol.asyncDispose]();
  });

  const liveOf = async (partition: FeedPartition) => (await subject.another().partitionState(partition))?.live?.tx;
  const position = async () => (await subject.another().feedState()).live?.tx;

  test('the index is as far as the partition that is furthest behind', async () => {
    expect(await one.feedState()).toMatchObject({ live: undefined, complete: false });
    await one.apply(changeOf({ partition: FIRST, to: 9n }, 'battery'), 1n);
    expect([await liveOf(FIRST), await liveOf(SECOND), await position()]).toEqual([9n, undefined, undefined]);
    await other.apply(changeOf({ partition: SECOND, to: 7n, complete: false }, 'battery'), 1n);
    expect([await liveOf(FIRST), await liveOf(SECOND), await position()]).toEqual([9n, 7n, 7n]);
    expect(await one.feedState()).toMatchObject({ complete: false, outdated: false });
    await other.apply(changeOf({ partition: SECOND, from: 7n, to: 9n }, 'battery'), 1n);
    expect(await one.feedState()).toMatchObject({ live: { tx: 9n }, complete: true });
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
  });

  test('a partition whose process ends between writing and moving loses nothing, holds the index back, and another takes it', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    proxy.intercept = ({ path }) => (path.includes('_refresh') ? 'cut' : 'pass');
    const gone = batch({ observations: [{ id: 2n, version: 8n, tombstone: true }] }, 5n, 8n);
    const withdrawal = { ...gone, range: { ...gone.range, partition: SECOND } };
    await expect(other.apply(withdrawal, 1n)).rejects.toMatchObject({ code: 14 });
    await one.apply(changeOf({ partition: FIRST, from: 5n, to: 8n }, 'battery'), 1n);
    expect([await liveOf(FIRST), await liveOf(SECOND), await position()]).toEqual([8n, 5n, 5n]);
    await subject.another().apply(withdrawal, 2n);
    expect(await position()).toBe(8n);
    expect(await subject.found('batteri')).toEqual([1n]);
    proxy.intercept = () => 'pass';
    await expect(other.apply(changeOf({ partition: SECOND, from: 8n, to: 9n }, 'battery'), 1n)).rejects.toThrow(
      'moved',
    );
    await expect(other.apply(changeOf({ partition: SECOND, from: 5n, to: 9n }, 'battery'), 2n)).rejects.toThrow(
      'moved',
    );
    expect(await position()).toBe(8n);
  });

  test('fences are of a partition each: that of another partition says nothing', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 7n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    await expect(one.apply(changeOf({ partition: FIRST, from: 5n, to: 6n }, 'battery'), 6n)).rejects.toThrow('moved');
    await expect(one.repartition(4, 6n)).rejects.toThrow('leads');
    expect(await one.finishRebuild(6n)).toBe(false);
    expect(await position()).toBe(5n);
  });

  test('another number of partitions begins where the index is, and those of the former number move nothing more', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 9n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    const late = changeOf({ partition: SECOND, from: 5n, to: 9n }, 'battery');
    await one.repartition(4, 1n);
    expect([await liveOf(THIRD_OF_FOUR), await liveOf({ partition: 0, of: 4 }), await liveOf(FIRST)]).toEqual([
      5n,
      5n,
      undefined,
    ]);
    await expect(other.apply(late, 1n)).rejects.toThrow('none any more');
    expect(await position()).toBe(5n);
    await one.repartition(1, 1n);
    expect(await one.partitionState({ partition: 0, of: 1 })).toMatchObject({ live: { tx: 5n } });
    expect(await one.partitionState(THIRD_OF_FOUR)).toBeUndefined();
    const whole = batch({ observations: [observation(2n, 2n, 'flour', { version: 9n })] }, 5n, 9n);
    await one.apply(whole, 1n);
    expect(await position()).toBe(9n);
    await one.repartition(2, 1n);
    expect([await liveOf(FIRST), await liveOf(SECOND)]).toEqual([9n, 9n]);
    /* The fence token of a partition survives a change of the number of partitions. */
    await other.apply(changeOf({ partition: SECOND, from: 9n, to: 10n }, 'battery'), 3n);
    await one.repartition(1, 1n);
    await one.repartition(2, 1n);
    await expect(other.apply(changeOf({ partition: SECOND, from: 9n, to: 10n }, 'battery'), 2n)).rejects.toThrow(
      'moved',
    );
  });

  test('a sole projector of the release before goes on beside partitions, and they never set the index back', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    await subject.another().apply(batch({}, 5n, 9n), 2n);
    await other.apply(changeOf({ partition: SECOND, from: 5n, to: 6n }, 'battery'), 1n);
    expect(await position()).toBe(9n);
  });

  test('a search sees all that was applied up to the position that it answers with, while two partitions write', async () => {
    const ranges = 20n;
    let isOver = false;
    const project = async (index: ObservationIndex, partition: FeedPartition) => {
      for (let tx = 1n; tx <= ranges; tx += 1n) {
        const id = tx * 2n + BigInt(partition.partition);
        const { range, ...documents } = batch(
          { observations: [observation(id, id, 'battery plant')] },
          tx === 1n ? undefined : tx - 1n,
          tx,
        );
        await index.apply({ ...documents, range: { ...range, partition } }, 1n);
      }
    };
    const both = Promise.all([project(one, FIRST), project(other, SECOND)]).finally(() => {
      isOver = true;
    });
    do {
      const { hits, position: reached } = await subject.rank('battery');
      const seen = new Set(hits.map((hit) => hit.observationId));
      for (let id = 2n; id <= (reached?.tx ?? 0n) * 2n + 1n; id += 1n) expect(seen).toContain(id);
    } while (!isOver);
    await both;
    expect(await position()).toBe(ranges);
    expect((await one.size()).observations).toBe(ranges * 2n);
  });
});
