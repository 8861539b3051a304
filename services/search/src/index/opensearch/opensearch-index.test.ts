import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { company, instant, observation } from '../../../test-support/documents.ts';
import { planOfWords } from '../../../test-support/index-under-test.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../test-support/intercepting-proxy.ts';
import { batch, type OpenSearchUnderTest, openOpenSearchIndex } from '../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../observation-index.ts';

const LATER_MS = 11 * 60_000;
/** A node answers this without a cluster manager, except to `local` requests. */
const NO_LEADER = { status: 503, body: { error: { type: 'cluster_manager_not_discovered_exception' }, status: 503 } };
const asksLeader = (path: string) => /\/_alias|\/_search_shards|\/_mapping/.test(path) && !path.includes('local=true');

describeWithOpenSearch('an index on OpenSearch', () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  let subject: OpenSearchUnderTest;
  beforeEach(async () => {
    subject = await openOpenSearchIndex({ keptMonths: 14 }, { now: () => new Date(now) });
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  async function rank(index: ObservationIndex) {
    const { hits, monthsLeftOut, position } = await subject.rankWith(index)(planOfWords(['battery']));
    return { ids: hits.map((hit) => hit.observationId).toSorted(), monthsLeftOut, position: position?.tx };
  }

  const old = { occurredAt: instant('2023-02-02T00:00:00Z') };
  const documents = {
    observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage', old)],
    companies: [company(1n, 'One'), company(2n, 'Two')],
  };

  test('ranks applied documents, with the position of the answer', async () => {
    await subject.index.maintain();
    expect(await rank(subject.index)).toEqual({ ids: [], monthsLeftOut: true, position: undefined });
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    expect(await rank(subject.index)).toEqual({ ids: [1n], monthsLeftOut: true, position: 5n });
  });

  test('says that months are left out from when on old events are declared to be discarded', async () => {
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    expect(await rank(subject.index)).toEqual({ ids: [1n, 2n], monthsLeftOut: false, position: 5n });
    await subject.index.maintain();
    expect(await rank(subject.index)).toEqual({ ids: [1n], monthsLeftOut: true, position: 5n });
    now += LATER_MS;
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n]);
  });

  test('an engine that is down is reported as unavailable to every caller', async () => {
    await using proxy = await startInterceptingProxy(subject.url);
    const away = subject.another({ url: proxy.url });
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    expect((await rank(away)).ids).toEqual([1n, 2n]);
    proxy.intercept = () => 'cut';
    now += LATER_MS;
    const unavailable = { code: Code.Unavailable };
    await expect(rank(away)).rejects.toMatchObject(unavailable);
    await expect(away.feedState()).rejects.toMatchObject(unavailable);
    await expect(away.size()).rejects.toMatchObject(unavailable);
    await expect(away.beginRebuild()).rejects.toMatchObject(unavailable);
    proxy.intercept = () => 'pass';
    expect((await rank(away)).ids).toEqual([1n, 2n]);
  });

  describe('while no node leads', () => {
    let proxy: InterceptingProxy;
    let index: ObservationIndex;
    beforeEach(async () => {
      proxy = await startInterceptingProxy(subject.url);
      index = subject.another({ url: proxy.url });
      await subject.index.apply(batch(documents, undefined, 5n), 1n);
      await subject.rankWith(index)(planOfWords(['battery']));
      now += 2_000;
      proxy.intercept = ({ path }) => (asksLeader(path) ? NO_LEADER : 'pass');
    });
    afterEach(() => proxy[Symbol.asyncDispose]());

    test('a search is answered as long as nothing was written since', async () => {
      expect(await rank(index)).toMatchObject({ ids: [1n, 2n], position: 5n });
      await expect(index.feedState()).rejects.toMatchObject({ code: Code.Unavailable });
      now += 200_000;
      expect(await rank(index)).toMatchObject({ ids: [1n, 2n], position: 5n });
    });

    test('a search does not wait until a node says so', async () => {
      const said = Promise.withResolvers<void>();
      proxy.hold = async ({ path }) => (asksLeader(path) ? await said.promise : undefined);
      expect(await rank(index)).toMatchObject({ ids: [1n, 2n], position: 5n });
      said.resolve();
    });

    test('a search is unavailable once something was written, which a node without a leader may lack', async () => {
      await subject.index.apply(batch({ observations: [observation(3n, 1n, 'battery mill')] }, 5n, 6n), 1n);
      await expect(rank(index)).rejects.toMatchObject({ code: Code.Unavailable });
      proxy.intercept = () => 'pass';
      expect(await rank(index)).toMatchObject({ ids: [1n, 2n, 3n], position: 6n });
    });

    test('a search is unavailable once another generation is served', async () => {
      await subject.index.beginRebuild();
      await subject.index.apply(batch(documents, undefined, 5n, 'rebuild'), 1n);
      await subject.index.finishRebuild(1n);
      await expect(rank(index)).rejects.toMatchObject({ code: Code.Unavailable });
    });

    test('a search is unavailable after some minutes', async () => {
      now += 301_000;
      await expect(rank(index)).rejects.toMatchObject({ code: Code.Unavailable });
    });
  });

  test('word statistics are read again after enough changes', async () => {
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    await subject.index.refreshStatistics();
    expect((await rank(subject.index)).ids).toEqual([1n, 2n]);
    await subject.index.apply(batch({ observations: [observation(3n, 1n, 'battery mill')] }, 5n, 6n), 1n);
    await subject.index.refreshStatistics();
    expect((await rank(subject.index)).ids).toEqual([1n, 2n, 3n]);
  });
});
