import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectOpenSearch } from '../client/connect.ts';
import type { Stamp } from '../state/feed-row.ts';
import { createSearchMany } from './search-many.ts';

const ALL_FAILED = {
  status: 503,
  error: {
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    failed_shards: [
      { shard: 0, reason: { type: 'circuit_breaking_exception', reason: `[parent] Data too large${'.'.repeat(500)}` } },
      { shard: 1, reason: { type: 'illegal_index_shard_state_exception', reason: 'recovering' } },
    ],
  },
};
const SHARDS = { total: 1, successful: 1, skipped: 0, failed: 0 };
const stampAnswer = (stamp: number, term: number) => ({
  status: 200,
  timed_out: false,
  _shards: SHARDS,
  hits: { hits: [{ fields: { stamp: [stamp] }, _primary_term: term }] },
});
const found = (id: number) => ({
  status: 200,
  timed_out: false,
  _shards: SHARDS,
  hits: { hits: [{ fields: { observation_id: [id] } }] },
});

/** The stored term combines the alias number and the primary term. */
const termOf = (alias: bigint, term: bigint) => (alias << 32n) + term;

/**
 * A node answers the search for the stamp and the next one, by the number of connections so far.
 */
type Node = (connections: number) => readonly [unknown, unknown];

describe('searches that go out together', () => {
  let stack: AsyncDisposableStack;
  beforeEach(() => {
    stack = new AsyncDisposableStack();
  });
  afterEach(() => stack.disposeAsync());

  async function search(stamp: Stamp | undefined, ...nodes: readonly Node[]) {
    const asked = nodes.map(() => 0);
    const bodies: string[] = [];
    const urls: string[] = [];
    for (const [at, node] of nodes.entries()) {
      const ofConnection = new Map<unknown, number>();
      const server = http.createServer((request, response) => {
        void buffer(request).then((body) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          if (request.method === 'HEAD') return response.end();
          asked[at] = (asked[at] ?? 0) + 1;
          bodies.push(String(body));
          const number = ofConnection.get(request.socket) ?? ofConnection.size + 1;
          ofConnection.set(request.socket, number);
          return response.end(JSON.stringify({ responses: node(number) }));
        });
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      stack.defer(() => {
        server.closeAllConnections();
        server.close();
      });
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    const client = connectOpenSearch({
      openSearchUrl: urls.join(','),
      openSearchUser: '',
      openSearchPassword: '',
      openSearchCaFile: '',
      openSearchTimeoutMs: 2_000,
    });
    stack.defer(() => client.close());
    const searchMany = createSearchMany({ client, prefix: 'ces-', stamp, reportPartial: () => undefined });
    const ids = async () =>
      (await searchMany([{ index: 'one', body: {} }], 1_000)).flatMap(({ hits }) =>
        hits.map(({ fields }) => fields?.observation_id?.[0]),
      );
    return { ids, asked, bodies };
  }

  test('what the first shard of a failed search says is in the cause, cut short', async () => {
    const { ids } = await search(undefined, () => [stampAnswer(1, 1), ALL_FAILED]);
    const { message } = ((await ids().catch(ConnectError.from)) as unknown as ConnectError).cause as Error;
    expect(message).toContain(
      '503 search_phase_execution_exception: all shards failed; of the first shard circuit_breaking_exception',
    );
    expect(message).toContain('Data too large');
    expect(message).not.toContain('recovering');
    expect(message.length).toBeLessThan(500);
  });

  test.each<[string, unknown]>([
    ['a lower stamp', stampAnswer(9, 2)],
    ['a stamp that a primary took which another one has followed', stampAnswer(11, 1)],
    [
      'no alias of the stamp, which the one that leads knows',
      { ...found(1), _shards: { ...SHARDS, total: 0, successful: 0 }, hits: { hits: [] } },
    ],
    ['no stamp', { ...found(1), hits: { hits: [] } }],
  ])('a node with %s is asked three times and not believed', async (_, answer) => {
    const { ids, asked } = await search({ number: 10n, term: termOf(1n, 2n) }, () => [answer, found(1)]);
    await expect(ids()).rejects.toMatchObject({ code: Code.Unavailable });
    expect(asked).toEqual([3]);
  });

  test('a node with the stamp, or a later one, is believed at once, and any where none was left', async () => {
    for (const [stamp, term] of [
      [10, 2],
      [11, 2],
      [11, 3],
    ] as const) {
      const { ids, asked } = await search({ number: 10n, term: termOf(1n, 2n) }, () => [
        stampAnswer(stamp, term),
        found(7),
      ]);
      expect([await ids(), asked]).toEqual([[7], [1]]);
    }
    const { ids } = await search(undefined, () => [stampAnswer(9, 1), found(7)]);
    expect(await ids()).toEqual([7]);
  });

  test('the stamp is asked for by its alias, which a node that has not heard of it does not know', async () => {
    const { ids, bodies } = await search({ number: 10n, term: termOf(12n, 2n) }, () => [stampAnswer(10, 2), found(7)]);
    await ids();
    expect(bodies).toHaveLength(1);
    expect(JSON.parse(bodies[0]?.split('\n')[0] ?? '')).toEqual({
      index: 'ces-stamps-12',
      preference: '_local',
      ignore_unavailable: true,
    });
  });

  test('another node is asked in place of one that lacks something, now and by whoever asks next', async () => {
    const { ids, asked } = await search(
      { number: 10n, term: termOf(1n, 1n) },
      () => [stampAnswer(9, 1), found(1)],
      () => [stampAnswer(10, 1), found(2)],
    );
    for (let times = 0; times < 5; times += 1) expect(await ids()).toEqual([2]);
    expect(asked).toEqual([1, 5]);
  });

  test('behind one address another node is reached by a connection of its own', async () => {
    const { ids, asked } = await search({ number: 10n, term: termOf(1n, 1n) }, (connections) =>
      connections < 3 ? [stampAnswer(9, 1), found(1)] : [stampAnswer(10, 1), found(2)],
    );
    expect([await ids(), asked]).toEqual([[2], [3]]);
  });

  test.each<[string, unknown]>([
    ['is refused the search for it', ALL_FAILED],
    ['has no time for it', { ...stampAnswer(10, 1), timed_out: true, hits: { hits: [] } }],
  ])('a node that cannot say its stamp since it %s is not asked once more', async (_, answer) => {
    const { ids, asked } = await search({ number: 10n, term: termOf(1n, 1n) }, () => [answer, found(1)]);
    await expect(ids()).rejects.toMatchObject({ code: Code.Unavailable });
    expect(asked).toEqual([1]);
  });
});
