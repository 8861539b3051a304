import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, observation } from '../../../../test-support/documents.ts';
import { planOfWords } from '../../../../test-support/index-under-test.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';

const DOCUMENTS = {
  observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')],
  companies: [company(1n, 'One', { profile: 'cells' }), company(2n, 'Two')],
};
const DEADLINE_MS = 1_000;

describeWithOpenSearch('a search on OpenSearch', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let index: ObservationIndex;

  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    index = subject.another({ url: proxy.url });
    await subject.index.apply(batch(DOCUMENTS, undefined, 5n), 1n);
    await index.feedState();
  });
  afterEach(async () => {
    await subject[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  async function rank(timeoutMs?: number) {
    const plan = planOfWords(['battery'], { description: [{ words: ['cells'], weight: 1, text: 'cells' }] });
    const { hits, truncated } = await index.rank({
      plan,
      filters: filters(),
      companies: 10,
      observationsPerCompany: 3,
      timeoutMs,
    });
    return { ids: hits.map((hit) => hit.observationId), truncated };
  }

  test.each(['_search_shards', '_mtermvectors', '_msearch'])(
    'does not wait beyond the deadline of its caller for %s',
    async (path) => {
      const waited = Promise.withResolvers<void>();
      proxy.hold = async (request) => (request.path.includes(path) ? await waited.promise : undefined);
      await expect(rank(DEADLINE_MS)).rejects.toMatchObject({ code: Code.Unavailable });
      waited.resolve();
    },
  );

  test('distinguishes ids up to the largest exact number, and refuses larger ones', async () => {
    const top = BigInt(Number.MAX_SAFE_INTEGER);
    const observations = [observation(top, top, 'solar'), observation(top - 1n, top - 1n, 'solar park')];
    await subject.index.apply(batch({ observations }, 5n, 6n), 1n);
    const { hits } = await subject.rank(planOfWords(['solar']));
    expect(hits.map((hit) => [hit.observationId, hit.companyId])).toEqual([
      [top, top],
      [top - 1n, top - 1n],
    ]);
    const beyond = batch({ observations: [observation(top + 2n, 1n, 'solar')] }, 6n, 7n);
    await expect(subject.index.apply(beyond, 1n)).rejects.toThrow('too large');
  });

  test('an index that is gone is no empty one', async () => {
    const now = new Date();
    index = subject.another({ clock: { now: () => now } });
    expect((await rank()).ids).toEqual([1n, 2n]);
    for (const name of await subject.indices()) await subject.client.indices.delete({ index: name });
    await expect(rank()).rejects.toMatchObject({ code: Code.Unavailable });
    const literal = { filters: filters(), recordedBy: undefined, before: undefined, limit: 10, timeoutMs: undefined };
    await expect(index.findLiterally({ ...literal, words: ['battery'] })).rejects.toMatchObject({
      code: Code.Unavailable,
    });
  });

  test.each([1, 2, 3])('another generation that is served before request %i changes no answer', async (nth) => {
    expect((await rank()).ids).toEqual([1n, 2n]);
    const other = subject.another();
    await other.beginRebuild();
    await other.apply(batch(DOCUMENTS, undefined, 9n, 'rebuild'), 1n);
    let searches = 0;
    proxy.hold = async ({ path }) => {
      if (!path.includes('search')) return;
      searches += 1;
      if (searches === nth) await other.finishRebuild(1n);
    };
    expect(await rank()).toEqual({ ids: [1n, 2n], truncated: false });
  });
});
