import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { company, instant, observation } from '../../../../test-support/documents.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
  positionAt,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';

describeWithOpenSearch('rebuilding an index on OpenSearch', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let throughProxy: ObservationIndex;
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    throughProxy = subject.another({ url: proxy.url });
    await subject.index.apply(
      batch(
        {
          observations: [observation(1n, 1n, 'battery plant'), observation(2n, 2n, 'battery storage')],
          companies: [company(1n, 'One'), company(2n, 'Two')],
        },
        undefined,
        1n,
      ),
      1n,
    );
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await subject[Symbol.asyncDispose]();
  });

  const rebuilt = (from: bigint | undefined, to: bigint) =>
    batch({ observations: [observation(1n, 1n, 'flour mill')], companies: [company(1n, 'One')] }, from, to, 'rebuild');
  const ofGeneration = (generation: number) => [
    `${subject.prefix}company-${generation}`,
    `${subject.prefix}observation-${generation}`,
  ];

  test('documents that the record no longer has are dropped, and until then the previous index answers searches', async () => {
    expect(await subject.index.beginRebuild()).toBe(true);
    expect(await subject.index.beginRebuild()).toBe(false);
    await subject.index.apply(rebuilt(undefined, 1_000n), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    await subject.index.finishRebuild(0n);
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: true });
    await subject.index.finishRebuild(1n);
    expect(await subject.found('batteri')).toEqual([]);
    expect(await subject.found('flour')).toEqual([1n]);
    expect(await subject.index.size()).toMatchObject({ observations: 1n, companies: 1n });
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: false, live: { tx: 1n } });
    expect(await subject.indices()).toEqual(ofGeneration(2));
  });

  test('changes during a rebuild are found at once, and stay', async () => {
    await subject.index.beginRebuild();
    await subject.index.apply(batch({ observations: [observation(3n, 3n, 'battery mill')] }, 1n, 2n), 1n);
    await subject.index.apply(rebuilt(undefined, 1n), 1n);
    await subject.index.apply(batch({ observations: [{ id: 2n, version: 2n, tombstone: true }] }, 2n, 3n), 1n);
    await subject.index.apply(batch({ observations: [observation(2n, 2n, 'battery storage')] }, 1n, 2n, 'rebuild'), 1n);
    expect(await subject.found('batteri')).toEqual([1n, 3n]);
    await subject.index.finishRebuild(1n);
    expect(await subject.found('batteri')).toEqual([3n]);
    expect(await subject.found('flour')).toEqual([1n]);
  });

  test('two rebuilds one after the other leave one generation', async () => {
    for (const tx of [10n, 20n]) {
      await subject.index.beginRebuild();
      await subject.index.apply(rebuilt(undefined, tx), 1n);
      await subject.index.finishRebuild(1n);
    }
    expect(await subject.indices()).toEqual(ofGeneration(3));
    expect(await subject.found('flour')).toEqual([1n]);
  });

  test('a rebuild that was begun once more, for a new history, leaves nothing of the first', async () => {
    await subject.index.beginRebuild();
    await subject.index.apply(rebuilt(undefined, 10n), 1n);
    const restarted = await subject.index.restart({ ...positionAt(1n), epoch: '' }, positionAt(7n), 1n);
    expect(restarted).toBe(true);
    expect(await subject.index.restart(positionAt(1n), positionAt(7n), 1n)).toBe(false);
    await subject.index.apply(
      batch({ observations: [observation(2n, 2n, 'flour silo', { version: 0n })] }, undefined, 7n, 'rebuild'),
      1n,
    );
    expect(await subject.found('batteri')).toEqual([1n, 2n]);
    await subject.index.finishRebuild(1n);
    expect(await subject.found('batteri')).toEqual([]);
    expect(await subject.found('flour')).toEqual([2n]);
    expect(await subject.indices()).toEqual(ofGeneration(3));
  });

  test.each(['cut', 'cut-after'] as const)(
    'a rebuild whose end is interrupted at any request (%s) is ended by the next process',
    { timeout: 200_000 },
    async (interruption) => {
      let requests = Number.POSITIVE_INFINITY;
      for (let at = 0; at < requests; at += 1) {
        const tx = BigInt(10 + at);
        await subject.index.beginRebuild();
        await subject.index.apply(rebuilt(undefined, tx), 1n);
        let count = 0;
        proxy.intercept = () => {
          count += 1;
          return count > at ? interruption : 'pass';
        };
        const ending = throughProxy.finishRebuild(1n);
        await ending.then(
          () => {
            requests = at;
          },
          (error: unknown) => expect(error).toMatchObject({ code: Code.Unavailable }),
        );
        await subject.another().finishRebuild(1n);
        await subject.another().maintain();
        expect(await subject.found('flour')).toEqual([1n]);
        expect(await subject.found('batteri')).toEqual([]);
        expect(await subject.indices()).toEqual(ofGeneration(2 + at));
        expect(await subject.index.feedState()).toMatchObject({ rebuilding: false });
        /* The next process uses the same proxy. */
        proxy.intercept = () => 'pass';
      }
      expect(requests).toBeGreaterThan(4);
    },
  );

  test('changes after an interrupted end of a rebuild are visible to nodes that still search the previous generation', async () => {
    await subject.index.beginRebuild();
    await subject.index.apply(rebuilt(undefined, 10n), 1n);
    proxy.intercept = ({ path }) => (path.includes('_aliases') ? 'cut-after' : 'pass');
    await expect(throughProxy.finishRebuild(1n)).rejects.toMatchObject({ code: Code.Unavailable });
    expect(await subject.index.feedState()).toMatchObject({ rebuilding: true });
    const more = batch({ observations: [observation(3n, 3n, 'battery mill')] }, 1n, 2n);
    await subject.another().apply(more, 1n);
    for (const generation of [1, 2]) {
      const { body } = await subject.client.search({
        index: `${subject.prefix}observation-${generation}`,
        body: { query: { term: { observation_id: { value: 3 } } } },
      });
      expect(body.hits.hits).toHaveLength(1);
    }
    await subject.another().finishRebuild(1n);
    expect(await subject.indices()).toEqual(ofGeneration(2));
    expect(await subject.found('batteri')).toEqual([3n]);
  });

  test('a projector that was stopped while it wrote changes nothing that was rebuilt since', async () => {
    let resume = () => {};
    const stopped = new Promise<void>((resolve) => {
      resume = resolve;
    });
    let begun = () => {};
    const writing = new Promise<void>((resolve) => {
      begun = resolve;
    });
    proxy.hold = async ({ path }) => {
      if (!path.includes('_bulk')) return;
      /* If OpenSearch creates missing indices automatically, only this parameter prevents it. */
      expect(path).toContain('require_alias=true');
      begun();
      await stopped;
    };
    const late = throughProxy.apply(
      batch({ observations: [observation(1n, 1n, 'zombie', { version: 9n })] }, 1n, 2n),
      1n,
    );
    late.catch(() => undefined);
    await writing;
    await subject.index.beginRebuild();
    await subject.index.apply(rebuilt(undefined, 10n), 2n);
    await subject.index.finishRebuild(2n);
    resume();
    await expect(late).rejects.toThrow(/refused document 1 .*404 index_not_found_exception/);
    expect(await subject.indices()).toEqual(ofGeneration(2));
    await subject.client.indices.refresh({ index: `${subject.prefix}*` });
    expect(await subject.found('zombi')).toEqual([]);
    expect(await subject.index.feedState()).toMatchObject({ live: { tx: 1n } });
  });

  test('events older than what a rebuild keeps are left out of it', async () => {
    const short = subject.another({ keptMonths: 2, clock: { now: () => new Date('2026-11-20T00:00:00Z') } });
    await short.beginRebuild();
    const old = observation(5n, 5n, 'flour silo', { occurredAt: instant('2026-08-31T23:59:59Z') });
    await short.apply(batch({ observations: [old, observation(6n, 6n, 'flour')] }, undefined, 9n, 'rebuild'), 1n);
    await short.apply(
      batch(
        { observations: [observation(7n, 7n, 'battery', { occurredAt: instant('2020-01-01T00:00:00Z') })] },
        1n,
        2n,
      ),
      1n,
    );
    expect(await subject.found('batteri')).toEqual([1n, 2n, 7n]);
    await short.finishRebuild(1n);
    expect(await subject.found('flour')).toEqual([6n]);
    expect(await subject.found('batteri')).toEqual([]);
  });
});
