import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { expect, test } from 'vitest';
import { observation } from '../../../../../test-support/documents.ts';
import { planOfWords } from '../../../../../test-support/index-under-test.ts';
import { startInterceptingProxy } from '../../../../../test-support/intercepting-proxy.ts';
import { openOpenSearchIndex } from '../../../../../test-support/opensearch-under-test.ts';

const COMPANIES = Array.from({ length: 20 }, (_, at) => BigInt(at + 1));
const FIRST_AWAY = { shards: [[], [{ shard: 1 }]] };
const SECOND = { shards: [[{ shard: 1 }]] };

describeWithOpenSearch('frequencies of words on OpenSearch', () => {
  test('are the routes of all shards again once an unavailable one is back', async () => {
    await using subject = await openOpenSearchIndex();
    await using proxy = await startInterceptingProxy(subject.url);
    await subject.apply({ observations: COMPANIES.map((id) => observation(id, id, 'battery plant')) });
    const index = subject.another({ url: proxy.url });
    const counted = async () => (await subject.rankWith(index)(planOfWords(['battery']))).countedObservations;
    proxy.intercept = ({ path }) => {
      if (!path.includes('_search_shards')) return 'pass';
      return { status: 200, body: path.includes('routing=') ? SECOND : FIRST_AWAY };
    };
    expect(await counted()).toBeLessThan(COMPANIES.length);
    proxy.intercept = () => 'pass';
    await index.refreshStatistics();
    expect(await counted()).toBe(COMPANIES.length);
  });
});
