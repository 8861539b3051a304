import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';
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

test('what the first shard of a failed search says is in the cause, cut short', async () => {
  const node = http.createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ responses: [ALL_FAILED] }));
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    node.closeAllConnections();
    node.close();
  });
  const client = connectOpenSearch({
    openSearchUrl: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
    openSearchUser: '',
    openSearchPassword: '',
    openSearchCaFile: '',
    openSearchTimeoutMs: 2_000,
  });
  stack.defer(() => client.close());
  const error = await createSearchMany({ client, prefix: 'ces-', stamp: 0n, reportPartial: () => undefined })(
    [{ index: 'one', body: {} }],
    1_000,
  ).catch(ConnectError.from);
  const { message } = (error as ConnectError).cause as Error;
  expect(message).toContain(
    '503 search_phase_execution_exception: all shards failed; of the first shard circuit_breaking_exception',
  );
  expect(message).toContain('Data too large');
  expect(message).not.toContain('recovering');
  expect(message.length).toBeLessThan(500);
});
