import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import { Code } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { observation } from '../../../../test-support/documents.ts';
import { planOfWords } from '../../../../test-support/index-under-test.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../../../test-support/intercepting-proxy.ts';
import {
  batch,
  changeOf,
  type OpenSearchUnderTest,
  openOpenSearchIndex,
} from '../../../../test-support/opensearch-under-test.ts';
import type { ObservationIndex } from '../../observation-index.ts';
import { stampIndexName, stampNumberOf } from '../indices/names.ts';
import { storeStamp } from '../state/stamp-row.ts';

// The primary drops a shard copy that failed a write. A node that does not know yet still searches
// that copy.

describeWithOpenSearch('writes that may not be in every copy', () => {
  let subject: OpenSearchUnderTest;
  let proxy: InterceptingProxy;
  let index: ObservationIndex;
  /** Whether each write overwrites the same version. */
  let written: string[];
  let created: { readonly settings: { readonly index: { readonly replication?: unknown } } }[];
  beforeEach(async () => {
    subject = await openOpenSearchIndex();
    proxy = await startInterceptingProxy(subject.url);
    index = subject.another({ url: proxy.url });
    written = [];
    created = [];
    proxy.hold = async ({ method, path, body }) => {
      if (method === 'PUT' && body.startsWith('{"settings"')) created.push(JSON.parse(body));
      if (path.includes('_bulk')) written.push(body.includes('"external_gte"') ? 'once more' : 'as it is');
    };
    await index.apply(plants(1n, undefined, 1n), 1n);
    await index.apply(plants(2n, 1n, 2n), 1n);
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await subject[Symbol.asyncDispose]();
  });

  const plants = (id: bigint, from: bigint | undefined, to: bigint) =>
    batch({ observations: [observation(id, id, 'battery plant')] }, from, to);
  const stampAlias = async () => {
    const { body } = await subject.client.indices.getAlias({ index: stampIndexName(subject.prefix) });
    const aliases = Object.values(body).flatMap((one) => Object.keys(one.aliases));
    return Math.max(...aliases.map((name) => stampNumberOf(subject.prefix, name) ?? 0));
  };

  test('go to copies of documents, whatever the cluster does by itself', () => {
    expect(created).toHaveLength(3);
    for (const { settings } of created) expect(settings.index.replication).toEqual({ type: 'DOCUMENT' });
  });

  test('are those of a process that begins, and of none that has written well', async () => {
    expect([written, await stampAlias()]).toEqual([['once more', 'as it is'], 1]);
    const next = subject.another({ url: proxy.url });
    await next.apply(plants(3n, 2n, 3n), 2n);
    expect([written.at(-1), await stampAlias()]).toEqual(['once more', 2]);
    await next.apply(plants(4n, 3n, 4n), 2n);
    expect([written.at(-1), await stampAlias()]).toEqual(['as it is', 2]);
    /* The previous process leads again. */
    await index.apply(plants(5n, 4n, 5n), 3n);
    expect([written.at(-1), await stampAlias()]).toEqual(['once more', 3]);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  test('are those after one whose end nobody heard of', async () => {
    proxy.intercept = ({ path }) => (path.includes('_bulk') ? 'cut-after' : 'pass');
    await expect(index.apply(plants(3n, 2n, 3n), 1n)).rejects.toMatchObject({ code: Code.Unavailable });
    proxy.intercept = () => 'pass';
    await index.apply(plants(3n, 2n, 3n), 1n);
    expect([written.slice(-2), await stampAlias()]).toEqual([['as it is', 'once more'], 2]);
    await index.apply(plants(4n, 3n, 4n), 1n);
    expect([written.at(-1), await stampAlias()]).toEqual(['as it is', 2]);
  });

  test('are those that were sent twice', async () => {
    let refusals = 1;
    proxy.intercept = ({ path }) =>
      path.includes('_bulk') && refusals-- > 0
        ? { status: 429, body: { error: { type: 'too busy' }, status: 429 } }
        : 'pass';
    await index.apply(plants(3n, 2n, 3n), 1n);
    expect([written.slice(-2), await stampAlias()]).toEqual([['as it is', 'once more'], 2]);
  });

  test('that are in every copy need not be written again where another process moves the stamp meanwhile', async () => {
    const ofPartitions = async (partition: number, from: bigint, to: bigint) =>
      await index.apply(changeOf({ partition: { partition, of: 2 }, from, to }, 'battery plant'), 1n);
    await index.repartition(2, 1n);
    await ofPartitions(0, 2n, 3n);
    const other = subject.another();
    proxy.hold = async ({ path }) => {
      if (!path.includes('stamps-')) return;
      proxy.hold = async () => undefined;
      await other.apply(changeOf({ partition: { partition: 1, of: 2 }, from: 2n, to: 3n }, 'battery plant'), 1n);
    };
    const before = await stampAlias();
    await ofPartitions(0, 3n, 4n);
    expect(await stampAlias()).toBe(before + 1);
    expect((await index.partitionState({ partition: 0, of: 2 }))?.live?.tx).toBe(4n);
    expect((await subject.rankWith(subject.another())(planOfWords(['battery']))).hits).not.toEqual([]);
  });

  test('are told by one stamp where processes begin at the same moment', async () => {
    await index.repartition(4, 1n);
    await Promise.all(
      [0, 1, 2, 3].map((partition) =>
        subject.another().apply(changeOf({ partition: { partition, of: 4 }, from: 2n, to: 3n }, 'battery plant'), 1n),
      ),
    );
    expect(await stampAlias()).toBe(5);
    expect((await subject.rankWith(subject.another())(planOfWords(['battery']))).hits).toHaveLength(4);
  });

  test('are those that a copy has refused: the stamp moves to an alias that only those know who have heard of it', async () => {
    const refused = (answer: unknown) => ({
      items: (answer as { items: { index: object }[] }).items.map(({ index: one }) => ({
        index: { ...one, _shards: { failed: 1 } },
      })),
    });
    proxy.intercept = ({ path }) => (path.includes('_bulk') ? refused : 'pass');
    await index.apply(plants(3n, 2n, 3n), 1n);
    expect(await stampAlias()).toBe(2);
    proxy.intercept = () => 'pass';
    await index.apply(plants(4n, 3n, 4n), 1n);
    expect(await stampAlias()).toBe(2);
  });

  test('need no index made for their stamp, which a cluster refuses whose disks fill up', async () => {
    proxy.intercept = ({ method, path }) =>
      method === 'PUT' && !path.slice(1).includes('/')
        ? { status: 403, body: { error: { type: 'cluster_block_exception', reason: 'create-index' }, status: 403 } }
        : 'pass';
    const next = subject.another({ url: proxy.url });
    await next.apply(plants(3n, 2n, 3n), 2n);
    expect([written.at(-1), await stampAlias()]).toEqual(['once more', 2]);
    expect(await subject.found('batteri')).toEqual([1n, 2n, 3n]);
  });

  test('leave the aliases of before to those whose position is a moment old, but not for ever', async () => {
    for (let tx = 2n; tx < 40n; tx += 1n) await subject.another().apply(plants(3n, tx, tx + 1n), tx);
    const { body } = await subject.client.indices.getAlias({ index: stampIndexName(subject.prefix) });
    expect(Object.values(body).flatMap((one) => Object.keys(one.aliases))).toHaveLength(33);
    expect(await stampAlias()).toBe(39);
  });

  test('never take away the alias that searches ask by, however often the end of a move is not reached', async () => {
    proxy.intercept = ({ path }) => (path.includes('stamps-') ? { status: 503, body: { status: 503 } } : 'pass');
    for (let times = 0; times < 40; times += 1)
      await expect(subject.another({ url: proxy.url }).apply(plants(3n, 2n, 3n), 2n)).rejects.toMatchObject({
        code: Code.Unavailable,
      });
    expect(await stampAlias()).toBe(41);
    const { body } = await subject.client.indices.getAlias({ index: stampIndexName(subject.prefix) });
    expect(Object.values(body).flatMap((one) => Object.keys(one.aliases))).toHaveLength(2);
    expect((await subject.rankWith(subject.another())(planOfWords(['battery']))).hits).not.toEqual([]);
  });

  test.each([
    ['its stamp', /stamps-/],
    ['its alias', /_aliases/],
  ])('come again where the first of all was broken off at %s', async (_, requests) => {
    await using fresh = await openOpenSearchIndex();
    await using between = await startInterceptingProxy(fresh.url);
    between.intercept = ({ path }) => (requests.test(path) ? 'cut-after' : 'pass');
    const first = plants(1n, undefined, 1n);
    await expect(fresh.another({ url: between.url }).apply(first, 1n)).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    await fresh.another().apply(first, 1n);
    expect((await fresh.rankWith(fresh.another())(planOfWords(['battery']))).hits).toHaveLength(1);
  });

  test('are believed again where the database was restored to an alias that is gone', async () => {
    await subject.pool.query('update opensearch_stamp set term = (1000::bigint << 32) + 1');
    const rank = async () => (await subject.rankWith(subject.another())(planOfWords(['battery']))).hits.length;
    await expect(rank()).rejects.toMatchObject({ code: Code.Unavailable });
    await subject.another().maintain();
    expect(await rank()).toBe(2);
    expect(await stampAlias()).toBe(1001);
  });

  test('are vouched for by a higher stamp of another alias, and by no lower one', async () => {
    const ofAlias = (alias: bigint) => (alias << 32n) + 1n;
    await subject.pool.query('update opensearch_stamp set number = 50, term = $1', [ofAlias(7n)]);
    await storeStamp(subject.pool, { number: 49n, term: ofAlias(6n) });
    await expect(storeStamp(subject.pool, { number: 51n, term: ofAlias(6n) })).rejects.toMatchObject({
      code: Code.Unavailable,
    });
    const { rows } = await subject.pool.query('select number, term from opensearch_stamp');
    expect(rows).toEqual([{ number: 50n, term: ofAlias(7n) }]);
  });
});
