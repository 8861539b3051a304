import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  changeOf,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';

// Two projectors share a server and a database. Observation 1 belongs to the first partition,
// observation 2 to the second.

const FIRST = { partition: 0, of: 2 };
const SECOND = { partition: 1, of: 2 };

describeWithOpenSearch('rebuilding in partitions', () => {
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

  const position = async () => (await subject.another().feedState()).live?.tx;

  test('an index is rebuilt when each partition has come to its end, and not before', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    const underWay = changeOf({ partition: SECOND, from: 5n, to: 6n }, 'battery');
    await one.beginRebuild();
    expect(await one.partitionState(FIRST)).toBeUndefined();
    await expect(other.apply(underWay, 1n)).rejects.toThrow('none any more');
    await one.repartition(2, 1n);
    await one.apply(changeOf({ partition: FIRST, to: 5n, feed: 'rebuild' }, 'flour'), 1n);
    expect(await one.finishRebuild(1n)).toBe(false);
    await other.apply(changeOf({ partition: SECOND, to: 4n, feed: 'rebuild', complete: false }, 'flour'), 1n);
    expect(await one.finishRebuild(1n)).toBe(false);
    expect(await one.feedState()).toMatchObject({ rebuilding: true, rebuild: { tx: 4n }, live: { tx: 5n } });
    /* A third process repeats the second partition. */
    await subject.another().apply(changeOf({ partition: SECOND, from: 4n, to: 5n, feed: 'rebuild' }, 'flour'), 2n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    expect(await one.finishRebuild(1n)).toBe(true);
    expect(await subject.found('batteri')).toEqual([]);
    expect(await subject.found('flour')).toEqual([1n, 2n]);
    expect(await one.feedState()).toMatchObject({ rebuilding: false, live: { tx: 5n } });
    expect(await one.partitionState(FIRST)).toBeUndefined();
  });

  test('what a partition wrote while the rebuild ended is seen by the position that has it, or the partition moves nothing', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    await one.beginRebuild();
    await one.repartition(2, 1n);
    await one.apply(changeOf({ partition: FIRST, to: 5n, feed: 'rebuild' }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n, feed: 'rebuild' }, 'battery'), 1n);
    await using ending = await startInterceptingProxy(subject.url);
    const [held, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ending.hold = async ({ path }) => {
      if (!path.includes('_settings')) return;
      held.resolve();
      await freed.promise;
    };
    const finished = subject.another({ url: ending.url }).finishRebuild(1n);
    await held.promise;
    await other.apply(changeOf({ partition: SECOND, from: 5n, to: 6n }, 'flour'), 1n);
    await one.apply(changeOf({ partition: FIRST, from: 5n, to: 6n }, 'flour'), 1n);
    const [waits, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    proxy.hold = async ({ path }) => {
      if (!path.includes('_refresh')) return;
      waits.resolve();
      await goesOn.promise;
    };
    const late = other.apply(changeOf({ partition: SECOND, from: 6n, to: 7n }, 'steel'), 1n);
    late.catch(() => undefined);
    await waits.promise;
    freed.resolve();
    expect(await finished).toBe(true);
    expect(await position()).toBe(5n);
    expect(await subject.found('batteri')).toEqual([]);
    /* The second partition already wrote documents past its position. */
    expect([await subject.found('flour'), await subject.found('steel')]).toEqual([[1n], [2n]]);
    goesOn.resolve();
    await expect(late).rejects.toThrow();
    expect(await position()).toBe(5n);
  });

  test('an index that the engine has lost is filled again by partitions that begin with nothing', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 5n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    await subject.client.indices.delete({ index: `${subject.prefix}observation-1` });
    const after = subject.another();
    expect(await after.partitionState(SECOND)).toBeUndefined();
    await expect(other.apply(changeOf({ partition: SECOND, from: 5n, to: 6n }, 'battery'), 1n)).rejects.toThrow(
      'none any more',
    );
    await after.repartition(2, 1n);
    expect(await after.partitionState(SECOND)).toMatchObject({ live: undefined });
    await other.apply(changeOf({ partition: SECOND, to: 6n }, 'battery'), 1n);
    expect(await position()).toBeUndefined();
    await one.apply(changeOf({ partition: FIRST, to: 6n }, 'battery'), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
  });

  test('a record with another history is read again by all partitions', async () => {
    await one.apply(changeOf({ partition: FIRST, to: 9n }, 'battery'), 1n);
    await other.apply(changeOf({ partition: SECOND, to: 5n }, 'battery'), 1n);
    const { live } = await one.feedState();
    if (!live) throw new Error('nothing was applied');
    expect(await one.restart(live, { ...live, tx: 2n, epoch: 'another' }, 1n)).toBe(true);
    await one.repartition(2, 1n);
    expect(await one.partitionState(SECOND)).toMatchObject({ live: { tx: 2n }, rebuilding: true, rebuild: undefined });
  });
});
