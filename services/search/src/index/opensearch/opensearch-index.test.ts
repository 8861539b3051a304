import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, filters, instant, observation } from '../../../test-support/documents.ts';
import { planOfWords } from '../../../test-support/index-under-test.ts';
import { startInterceptingProxy } from '../../../test-support/intercepting-proxy.ts';
import { batch, type OpenSearchUnderTest, openOpenSearchIndex } from '../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../observation-index.ts';

const LATER_MS = 11 * 60_000;

describeWithOpenSearch('an index on OpenSearch', () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  let subject: OpenSearchUnderTest;
  beforeEach(async () => {
    subject = await openOpenSearchIndex({ keptMonths: 14 }, { now: () => new Date(now) });
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  async function rank(index: ObservationIndex) {
    const { hits, truncated, position } = await index.rank({
      plan: planOfWords(['battery']),
      filters: filters(),
      companies: 10,
      observationsPerCompany: 3,
      explain: false,
      timeoutMs: undefined,
    });
    return { ids: hits.map((hit) => hit.observationId).toSorted(), truncated, position: position?.tx };
  }

  const old = { occurredAt: instant('2023-02-02T00:00:00Z') };
  const documents = {
    observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage', old)],
    companies: [company(1n, 'One'), company(2n, 'Two')],
  };

  test('ranks what was applied, with the position that the answer has', async () => {
    await subject.index.maintain();
    expect(await rank(subject.index)).toEqual({ ids: [], truncated: true, position: undefined });
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    expect(await rank(subject.index)).toEqual({ ids: [1n], truncated: true, position: 5n });
  });

  test('says that a search is cut from when on old events are declared to be discarded', async () => {
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    expect(await rank(subject.index)).toEqual({ ids: [1n, 2n], truncated: false, position: 5n });
    await subject.index.maintain();
    expect(await rank(subject.index)).toEqual({ ids: [1n], truncated: true, position: 5n });
    now += LATER_MS;
    await subject.index.maintain();
    expect(await subject.found('batteri')).toEqual([1n]);
  });

  test('an engine that is away is unavailable to whoever asks', async () => {
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

  test('what is known of words is asked anew when enough was applied', async () => {
    await subject.index.apply(batch(documents, undefined, 5n), 1n);
    await subject.index.refreshStatistics();
    expect((await rank(subject.index)).ids).toEqual([1n, 2n]);
    await subject.index.apply(batch({ observations: [observation(3n, 1n, 'battery mill')] }, 5n, 6n), 1n);
    await subject.index.refreshStatistics();
    expect((await rank(subject.index)).ids).toEqual([1n, 2n, 3n]);
  });
});
