import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';

describeWithOpenSearch('writing to OpenSearch', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let throughProxy: ObservationIndex;
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    throughProxy = subject.another({ url: proxy.url });
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await subject[Symbol.asyncDispose]();
  });

  const battery = [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')];

  test('applied documents are searched and counted when the position has moved', async () => {
    await subject.index.apply(batch({ observations: battery, companies: [company(1n, 'One')] }, undefined, 5n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    expect(await subject.index.feedState()).toMatchObject({ live: { tx: 5n }, complete: true, rebuilding: false });
    expect(await subject.index.size()).toMatchObject({ observations: 2n, companies: 1n });
    expect((await subject.index.size()).bytes).toBeGreaterThan(0n);
  });

  test('a process that ends between writing and moving the position loses nothing, and the next one repeats nothing', async () => {
    proxy.intercept = ({ path }) => (path.includes('_refresh') ? 'cut' : 'pass');
    await expect(throughProxy.apply(batch({ observations: battery }, undefined, 5n), 1n)).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    expect((await subject.index.feedState()).live).toBeUndefined();
    await subject.another().apply(batch({ observations: battery }, undefined, 5n), 2n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    proxy.intercept = ({ path }) => (path.includes('_refresh') ? 'cut-after' : 'pass');
    const more = batch({ observations: [observation(3n, 3n, 'battery mill')] }, 5n, 6n);
    await expect(throughProxy.apply(more, 2n)).rejects.toMatchObject({ code: Code.Unavailable });
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
    await subject.another().apply(more, 3n);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n]);
    expect((await subject.index.size()).observations).toBe(3n);
  });

  test('a version that is known, or older, changes nothing', async () => {
    await subject.index.apply(
      batch({ observations: [observation(1n, 1n, 'battery', { version: 2n })] }, undefined, 1n),
      1n,
    );
    await subject.index.apply(batch({ observations: [observation(1n, 1n, 'flour', { version: 2n })] }, 1n, 2n), 1n);
    await subject.index.apply(batch({ observations: [observation(1n, 1n, 'flour', { version: 1n })] }, 2n, 3n), 1n);
    expect(await subject.found('batteri')).toEqual([1n]);
    expect(await subject.found('flour')).toEqual([]);
  });

  test('copies are of documents, whatever the cluster does by default, since a refresh covers no copies of segments', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 5n), 1n);
    const { body } = await subject.client.indices.getSettings({ index: `${subject.prefix}*` });
    const replications = Object.values(body).map(({ settings }) => settings?.index?.replication?.type);
    expect(replications).toEqual(['DOCUMENT', 'DOCUMENT']);
  });

  test('an observation that goes to another company, or is gone, is found once, or never', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 1n), 1n);
    const moved = Array.from({ length: 8 }, (_, at) =>
      observation(1n, BigInt(at + 2), 'battery plant', { version: BigInt(at + 2) }),
    );
    for (const [at, document] of moved.entries())
      await subject.index.apply(batch({ observations: [document] }, BigInt(at + 1), BigInt(at + 2)), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    await subject.index.apply(batch({ observations: [{ id: 1n, version: 10n, tombstone: true }] }, 9n, 10n), 1n);
    expect(await subject.found('batteri')).toEqual([2n]);
    expect((await subject.index.size()).observations).toBe(1n);
  });

  test('a deleted document stays deleted when an old page comes again, and a later version restores it', async () => {
    await subject.index.apply(batch({ observations: battery }, undefined, 1n), 1n);
    await subject.index.apply(batch({ observations: [{ id: 1n, version: 2n, tombstone: true }] }, 1n, 2n), 1n);
    await subject.index.apply(batch({ observations: battery }, 2n, 3n), 1n);
    expect(await subject.found('batteri')).toEqual([2n]);
    await subject.index.apply(batch({ observations: [observation(1n, 1n, 'battery', { version: 3n })] }, 3n, 4n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
  });

  test('a projector with a lower fence, or an earlier position than the feed, changes nothing', async () => {
    await subject.index.apply(batch({}, undefined, 5n), 2n);
    await expect(subject.index.apply(batch({}, 5n, 9n), 1n)).rejects.toThrow('moved');
    await expect(subject.index.apply(batch({}, undefined, 9n), 2n)).rejects.toThrow('moved');
    await expect(subject.index.apply(batch({}, 4n, 9n), 2n)).rejects.toThrow('moved');
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
  });

  test('documents that an overloaded engine refused are sent again', async () => {
    let refused = 0;
    proxy.intercept = ({ path, body }) => {
      if (!path.includes('_bulk') || refused === 2) return 'pass';
      refused += 1;
      if (refused === 1) return { status: 429, body: { error: { type: 'circuit_breaking_exception' }, status: 429 } };
      const count = body.trim().split('\n').length / 2;
      const error = { type: 'rejected_execution_exception', reason: 'full' };
      return { status: 200, body: { items: Array.from({ length: count }, () => ({ index: { status: 429, error } })) } };
    };
    await throughProxy.apply(batch({ observations: battery }, undefined, 5n), 1n);
    expect(refused).toBe(2);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
  });

  test('an engine that stays too busy is unavailable, and nothing moves', async () => {
    await throughProxy.apply(batch({}, undefined, 1n), 1n);
    proxy.intercept = ({ path }) => (path.includes('_bulk') ? { status: 503, body: {} } : 'pass');
    await expect(throughProxy.apply(batch({ observations: battery }, 1n, 5n), 1n)).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 1n });
  });

  test('an engine that is away is unavailable, and goes on where it was', async () => {
    await throughProxy.apply(batch({ observations: battery }, undefined, 1n), 1n);
    proxy.intercept = () => 'cut';
    const more = batch({ observations: [observation(3n, 3n, 'battery mill')] }, 1n, 2n);
    await expect(throughProxy.apply(more, 1n)).rejects.toMatchObject({ code: Code.Unavailable });
    proxy.intercept = () => 'pass';
    await throughProxy.apply(more, 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n]);
  });

  test('a first reader moves nothing once another one has restarted the index', async () => {
    await using other = await startInterceptingProxy(subject.url);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [firstHeld, secondHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    proxy.hold = async ({ path }) => {
      if (!path.includes('_refresh')) return;
      firstHeld.resolve();
      await first.promise;
    };
    other.hold = async ({ path }) => {
      if (!path.includes('_bulk')) return;
      secondHeld.resolve();
      await second.promise;
    };
    const late = throughProxy.apply(batch({ observations: battery }, undefined, 5n), 1n);
    late.catch(() => undefined);
    await firstHeld.promise;
    await subject.client.indices.refresh({ index: `${subject.prefix}*` });
    const again = subject.another({ url: other.url }).apply(batch({ observations: battery }, undefined, 5n), 1n);
    await secondHeld.promise;
    first.resolve();
    await expect(late).rejects.toThrow('another generation has begun');
    expect((await subject.index.feedState()).live).toBeUndefined();
    second.resolve();
    await again;
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    expect((await subject.index.feedState()).live).toMatchObject({ tx: 5n });
  });

  test('a document that is refused ends the batch with a sentence', async () => {
    proxy.intercept = ({ path }) =>
      path.includes('_bulk')
        ? { status: 200, body: { items: [{ index: { status: 400, error: { type: 'mapper', reason: 'no' } } }] } }
        : 'pass';
    await expect(
      throughProxy.apply(batch({ observations: [observation(7n, 7n, 'battery')] }, undefined, 1n), 1n),
    ).rejects.toThrow(/refused document 7 .*400 mapper.*: no/);
  });

  test('far instants and domains without an end are written, and much text in several requests', async () => {
    const long = 'battery '.repeat(150_000);
    await throughProxy.apply(
      batch(
        {
          observations: [
            observation(1n, 1n, long),
            observation(2n, 2n, long, { occurredAt: instant('0001-01-01T00:00:00Z') }),
            observation(3n, 3n, long, { occurredAt: instant('9999-12-31T23:59:59Z') }),
          ],
          companies: [company(1n, 'One', { domains: [{ hostname: 'one.example' }] })],
        },
        undefined,
        1n,
      ),
      1n,
    );
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n]);
    expect(
      proxy.requests.filter((request) => request.includes('observation') && request.includes('_bulk')),
    ).toHaveLength(2);
  });
});
