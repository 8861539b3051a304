import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectOpenSearch } from '../client/connect.ts';
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

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

test('the error of the first failed shard is in the cause, truncated', async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ responses: [ALL_FAILED] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = connectOpenSearch({
    openSearchUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openSearchUser: '',
    openSearchPassword: '',
    openSearchCaFile: '',
    openSearchTimeoutMs: 2_000,
  });
  stack.defer(() => client.close());
  const searchMany = createSearchMany(client, () => undefined);
  const error: unknown = await searchMany([{ index: 'one', body: {} }], 1_000).catch((reason: unknown) => reason);
  const { message } = ConnectError.from(error).cause as Error;
  expect(message).toContain(
    '503 search_phase_execution_exception: all shards failed; of the first shard circuit_breaking_exception',
  );
  expect(message).toContain('Data too large');
  expect(message).not.toContain('recovering');
  expect(message.length).toBeLessThan(500);
});
