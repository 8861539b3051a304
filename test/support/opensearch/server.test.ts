import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOpenSearch } from './assemble.ts';
import { describeWithOpenSearch } from './describe-with-opensearch.ts';
import { type OpenSearchServer, startOpenSearch } from './server.ts';

const STARTED_WITHIN_MS = 240_000;
// A server named by the environment provides no program to start nodes with.
const isAssembled = (await findOpenSearch()) !== undefined;
if (!isAssembled)
  process.stderr.write(
    'No assembled OpenSearch: tests of a cluster are skipped. npm run test:opensearch brings one and runs them.\n',
  );
const describeCluster = isAssembled ? describeWithOpenSearch : describe.skip;

describeCluster('a cluster of two nodes', () => {
  let directory: string;
  let cluster: OpenSearchServer;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'ces-opensearch-'));
    cluster = await startOpenSearch({ nodes: 2, directory, heapMb: 192 });
  }, STARTED_WITHIN_MS);

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  test('listens only on the loopback address', async () => {
    const { nodes } = (await call(0, 'GET', '/_nodes/http,transport')).body as {
      nodes: Record<string, Record<'http' | 'transport', { bound_address: string[] }>>;
    };
    const addresses = Object.values(nodes).flatMap(({ http, transport }) => [
      ...(http?.bound_address ?? []),
      ...(transport?.bound_address ?? []),
    ]);
    expect(addresses).toHaveLength(4);
    for (const address of addresses) expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('makes no index by itself', async () => {
    expect((await call(0, 'PUT', '/nobody-made-it/_doc/1', { text: 'a' })).status).toBe(404);
  });

  test('a killed node loses nothing that a replica holds, and comes back on its data', {
    timeout: STARTED_WITHIN_MS,
  }, async () => {
    const settings = { number_of_shards: 1, number_of_replicas: 1 };
    const mappings = { properties: { text: { type: 'text', analyzer: 'whitespace' } } };
    expect((await call(0, 'PUT', '/kept', { settings, mappings })).status).toBe(200);
    await call(0, 'GET', '/_cluster/health/kept?wait_for_status=green&timeout=30s');
    expect((await call(1, 'PUT', '/kept/_doc/1?refresh=true', { text: 'cold storage' })).status).toBe(201);
    await cluster.killNode(1);
    await expect.poll(() => count(0)).toBe(1);
    await cluster.startNode(1);
    const health = await call(1, 'GET', '/_cluster/health/kept?wait_for_status=green&timeout=60s');
    expect(health.body).toMatchObject({ status: 'green', number_of_nodes: 2 });
  });

  async function count(node: number): Promise<unknown> {
    return ((await call(node, 'GET', '/kept/_count?q=text:storage')).body as { count?: number }).count;
  }

  async function call(node: number, method: string, target: string, body?: unknown) {
    const response = await fetch(`${cluster.urls[node]}${target}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }
});
