import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filters, observation } from '../../../../test-support/documents.ts';
import { planOfWords } from '../../../../test-support/index-under-test.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';

// A node that the cluster has dropped answers searches from old data and reports nothing missing.

describeWithOpenSearch('a node that lacks what was written last', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    await subject.index.apply(
      batch(
        { observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')] },
        undefined,
        5n,
      ),
      1n,
    );
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await subject[Symbol.asyncDispose]();
  });

  const literal = {
    words: ['battery'],
    filters: filters(),
    limit: 10,
    before: undefined,
    recordedBy: undefined,
    timeoutMs: undefined,
  };
  const rank = async (index: ObservationIndex) =>
    (await subject.rankWith(index)(planOfWords(['battery']))).hits.map(({ observationId }) => observationId).toSorted();
  const withdrawFirst = () =>
    subject.index.apply(batch({ observations: [{ id: 1n, companyId: 1n, version: 2n, tombstone: true }] }, 5n, 6n), 1n);

  /** Replays the current answers to `ask` later. Other searches get only the current stamp. */
  async function keepAnswers(ask: () => Promise<unknown>): Promise<void> {
    const kept = new Map<string, { readonly responses: unknown[] }>();
    proxy.intercept = ({ path, body }) =>
      path.includes('_msearch')
        ? (answer) => {
            kept.set(withoutTimes(body), answer as { responses: unknown[] });
            return answer;
          }
        : 'pass';
    await ask();
    const [stamp] = [...kept.values()].map(({ responses }) => responses[0]);
    const answerTo = (body: string) =>
      kept.get(withoutTimes(body)) ?? {
        responses: body
          .trim()
          .split('\n')
          .flatMap((_, at) => (at % 2 ? [stamp] : [])),
      };
    proxy.intercept = ({ path, body }) => (path.includes('_msearch') ? { status: 200, body: answerTo(body) } : 'pass');
  }

  test('is not believed, and nothing that was withdrawn is shown', async () => {
    const cutOff = subject.another({ url: proxy.url });
    const both = async () => [await rank(cutOff), await cutOff.findLiterally(literal)];
    await keepAnswers(both);
    expect((await both()).map(({ length }) => length)).toEqual([2, 2]);
    await withdrawFirst();
    const before = proxy.requests.length;
    await expect(cutOff.findLiterally(literal)).rejects.toMatchObject({ code: Code.Unavailable });
    expect(proxy.requests.slice(before).filter((request) => request.includes('_msearch'))).toHaveLength(3);
    await expect(rank(cutOff)).rejects.toMatchObject({ code: Code.Unavailable });
    proxy.intercept = () => 'pass';
    expect(await rank(cutOff)).toEqual([2n]);
  });

  test('is passed over where another one answers', async () => {
    const index = subject.another({ url: `${proxy.url},${subject.url}` });
    await keepAnswers(() => rank(subject.another({ url: proxy.url })));
    await withdrawFirst();
    const before = proxy.requests.length;
    for (let times = 0; times < 4; times += 1) expect(await rank(index)).toEqual([2n]);
    expect(proxy.requests.slice(before).some((request) => request.includes('_msearch'))).toBe(true);
  });

  test('is told by a stamp, which is left again where the engine or the database has lost it', async () => {
    const stamps = async () => {
      const { rows } = await subject.pool.query<{ given: bigint; number: bigint }>(
        'select given, number from opensearch_stamp',
      );
      return rows[0] ?? { given: 0n, number: 0n };
    };
    const first = await stamps();
    expect(first.number).toBeGreaterThan(0n);
    expect(first.number).toBe(first.given);
    await subject.client.indices.delete({ index: `${subject.prefix}stamps` });
    /* A process with a cached state asks the cluster manager again within a second. */
    expect(await rank(subject.another())).toEqual([1n, 2n]);
    await withdrawFirst();
    const second = await stamps();
    expect(second.number).toBeGreaterThan(first.number);
    expect(await rank(subject.index)).toEqual([2n]);
    await subject.pool.query('update opensearch_stamp set given = 0, number = 0');
    await subject.index.apply(batch({ observations: [observation(3n, 3n, 'battery mill')] }, 6n, 7n), 1n);
    expect((await stamps()).number).toBeGreaterThan(second.number);
    expect(await rank(subject.index)).toEqual([2n, 3n]);
  });

  test('a stamp that somebody else has left is passed by', async () => {
    const { rows } = await subject.pool.query<{ given: bigint }>('select given from opensearch_stamp');
    const another = (rows[0]?.given ?? 0n) + 600_000_000n;
    await subject.client.index({
      index: `${subject.prefix}stamps`,
      id: 'only',
      version: Number(another),
      version_type: 'external',
      refresh: true,
      body: { stamp: String(another) },
    });
    await withdrawFirst();
    expect(await rank(subject.index)).toEqual([2n]);
  });

  test.each([
    [/_aliases/, 'cut'],
    [/_aliases/, 'cut-after'],
    [/stamps-\d+\/_doc/, 'cut'],
    [/stamps-\d+\/_doc/, 'cut-after'],
  ] as const)(
    'a process that ends while it leaves its stamp (%s, %s) has moved nothing',
    async (requests, interception) => {
      const ending = subject.another({ url: proxy.url });
      proxy.intercept = ({ path }) => (requests.test(path) ? interception : 'pass');
      const more = batch({ observations: [observation(3n, 3n, 'battery mill')] }, 5n, 6n);
      await expect(ending.apply(more, 1n)).rejects.toMatchObject({ code: Code.Unavailable });
      expect((await subject.index.feedState()).live?.tx).toBe(5n);
      await subject.another().apply(more, 2n);
      expect(await rank(subject.index)).toEqual([1n, 2n, 3n]);
    },
  );

  test('another generation has a stamp of its own, which who still searches the one before does not have', async () => {
    const cutOff = subject.another({ url: proxy.url });
    await keepAnswers(() => rank(cutOff));
    await subject.index.beginRebuild();
    await subject.index.apply(
      batch({ observations: [observation(2n, 2n, 'battery storage')] }, undefined, 5n, 'rebuild'),
      1n,
    );
    expect(await rank(cutOff)).toEqual([1n, 2n]);
    expect(await subject.index.finishRebuild(1n)).toBe(true);
    await expect(rank(cutOff)).rejects.toMatchObject({ code: Code.Unavailable });
    expect(await rank(subject.index)).toEqual([2n]);
  });
});

function withoutTimes(body: string): string {
  return body.replaceAll(/\d+ms|\d{13,}/g, '');
}
