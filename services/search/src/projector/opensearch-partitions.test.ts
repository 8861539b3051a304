import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { processOfHolder } from '@ces/chassis/postgres/lease';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { createLogger } from '@ces/chassis/telemetry/log';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { describeWithOpenSearch } from '@ces/test/support/opensearch/describe-with-opensearch.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { company, observation } from '../../test-support/documents.ts';
import { type InterceptingProxy, startInterceptingProxy } from '../../test-support/intercepting-proxy.ts';
import { RECORD_TOKEN } from '../../test-support/record-server.ts';
import { type SearchStack, searchFor, startSearchStack } from '../../test-support/search-stack.ts';
import { start } from '../start.ts';

const WITHIN_MS = 60_000;
const PARTITIONS = 4;
const RECORDED = 1_200;
const WITHDRAWN = 400;

describeWithOpenSearch('processes that share the change list', () => {
  const url = inject('openSearchUrl');
  const prefix = `ces-test-${randomBytes(6).toString('hex')}-`;
  let stack: SearchStack;
  let proxy: InterceptingProxy;
  let database: pg.Client;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    proxy = await startInterceptingProxy(url);
    stack = await startSearchStack({}, environment(url));
    database = new pg.Client({ connectionString: stack.database.url });
    await database.connect();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await database.end();
    await stack[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await fetch(`${url}/${prefix}*?ignore_unavailable=true`, { method: 'DELETE' });
  });

  function environment(engine: string, partitions = PARTITIONS) {
    return {
      CES_SEARCH_ENGINE: 'opensearch',
      CES_SEARCH_OPENSEARCH_URL: engine,
      CES_SEARCH_OPENSEARCH_PREFIX: prefix,
      CES_SEARCH_OPENSEARCH_TIMEOUT_MS: '20000',
      CES_SEARCH_OPENSEARCH_PARTITIONS: String(partitions),
      CES_LEAD_LEASE_MS: '1800',
      CES_LEAD_RENEWAL_MS: '600',
    };
  }

  function spawnSearch(partitions = PARTITIONS): ChildProcess {
    return spawn(process.execPath, [path.resolve(import.meta.dirname, '../main.ts')], {
      env: {
        CES_SEARCH_PORT: '0',
        CES_SEARCH_ADMIN_PORT: '0',
        CES_SEARCH_DATABASE_URL: stack.database.url,
        CES_RPC_CALLER_TOKENS: 'operations=token-of-operations',
        CES_RPC_TOKEN: RECORD_TOKEN,
        CES_LOOKUP_URL: stack.record.url,
        NATS_URL: inject('natsUrl'),
        CES_NATS_PREFIX: stack.natsPrefix,
        ...environment(proxy.url, partitions),
      },
      stdio: 'ignore',
    });
  }

  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => BigInt(from + at));
  const batteries = (from: number, count: number) =>
    numbers(from, count).map((id) => observation(id, id, 'battery plant'));
  const companies = (from: number, count: number) => numbers(from, count).map((id) => company(id, `Company ${id}`));

  async function untilApplied(admin = stack.admin): Promise<void> {
    const lag = async () => {
      const status = await admin.getIndexStatus({}).catch(() => undefined);
      return status?.position && status.lag;
    };
    await expect.poll(lag, { timeout: WITHIN_MS, interval: 200 }).toBe(0n);
  }

  async function shares(): Promise<number[]> {
    const { rows } = await database.query<{ holder: string }>(
      "select holder from lease where name like 'opensearch-projector%' and until > clock_timestamp()",
    );
    const ofProcesses = Map.groupBy(rows, ({ holder }) => processOfHolder(holder)).values();
    return [...ofProcesses].map(({ length }) => length).toSorted((a, b) => b - a);
  }

  test('have as many partitions each; where one is killed between writing and moving, the other has all, and the index what the record has', {
    timeout: 4 * WITHIN_MS,
  }, async () => {
    stack.record.put({ observations: batteries(1, RECORDED), companies: companies(1, RECORDED) });
    await untilApplied();
    expect(await stack.admin.getIndexStatus({})).toMatchObject({ observations: 1200n, companies: 1200n, lag: 0n });
    child = spawnSearch();
    await expect.poll(shares, { timeout: WITHIN_MS, interval: 200 }).toEqual([2, 2]);
    let refused = false;
    proxy.intercept = ({ path: asked }) => {
      refused ||= asked.includes('_refresh');
      return asked.includes('_refresh') ? 'cut' : 'pass';
    };
    const withdrawals = numbers(1, WITHDRAWN).map((id) => ({ id, version: 2n, tombstone: true }));
    const last = stack.record.put({ observations: [...withdrawals, ...batteries(RECORDED + 1, RECORDED)] });
    await expect.poll(() => refused, { timeout: WITHIN_MS, interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const position = (await stack.admin.getIndexStatus({})).position?.tx ?? 0n;
    expect(position).toBeLessThan(last);
    await untilApplied();
    const { position: reached } = await searchFor(stack, 'battery', { waitForTx: last });
    expect(reached?.tx).toBe(last);
    expect(await shares()).toEqual([PARTITIONS]);
    const status = await stack.admin.getIndexStatus({});
    expect(status).toMatchObject({ observations: BigInt(2 * RECORDED - WITHDRAWN), companies: BigInt(RECORDED) });
    expect(await shown('batteri')).toEqual(numbers(WITHDRAWN + 1, 2 * RECORDED - WITHDRAWN));
  });

  test('rebuild it together, also in another number, and do again what one of them did that is killed', {
    timeout: 4 * WITHIN_MS,
  }, async () => {
    stack.record.put({ observations: batteries(1, RECORDED), companies: companies(1, RECORDED) });
    await untilApplied();
    await stack.stop();
    const fewer = { ...stack.config, openSearchPartitions: 2 };
    const logger = createLogger('search', 'silent');
    await using one = await start(fewer, logger);
    const again = { ...stack, search: stack.clientOf(one.url) };
    child = spawnSearch(2);
    await expect.poll(shares, { timeout: WITHIN_MS, interval: 200 }).toEqual([1, 1]);
    let isHeld = false;
    proxy.hold = async ({ path: asked }) => {
      if (!asked.includes('-2-write/_bulk')) return;
      isHeld = true;
      await once(child as ChildProcess, 'exit');
    };
    stack.record.forget(numbers(1, WITHDRAWN));
    const call = { url: one.url, callerToken: 'token-of-admin', timeoutMs: 10_000 };
    const admin = createRpcClient(SearchAdminService, call);
    await admin.rebuildIndex({});
    await expect.poll(() => isHeld, { timeout: WITHIN_MS, interval: 20 }).toBe(true);
    child.kill('SIGKILL');
    stack.record.put({ observations: batteries(9_001, 10) });
    expect(await shown('batteri')).toEqual(numbers(1, RECORDED));
    await untilApplied(admin);
    await expect.poll(indices, { timeout: WITHIN_MS, interval: 100 }).toEqual(['company-2', 'observation-2']);
    expect(await shown('batteri')).toEqual([...numbers(WITHDRAWN + 1, RECORDED - WITHDRAWN), ...numbers(9_001, 10)]);
    await untilApplied(admin);
    const newest = stack.record.put({ observations: batteries(9_101, 10) });
    expect((await searchFor(again, 'battery', { waitForTx: newest })).position?.tx).toBe(newest);
  });

  async function indices(): Promise<string[]> {
    const found = (await (await fetch(`${url}/${prefix}company-*,${prefix}observation-*`)).json()) as object;
    return Object.keys(found)
      .map((name) => name.slice(prefix.length))
      .toSorted();
  }

  /** Returns observations that OpenSearch makes visible for a lexeme. */
  async function shown(lexeme: string): Promise<bigint[]> {
    const query = { bool: { filter: [{ match: { text: lexeme } }, { term: { tombstone: false } }] } };
    const response = await fetch(`${url}/${prefix}observation/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ size: 5_000, query }),
    });
    const { hits } = (await response.json()) as { hits: { hits: { _id: string }[] } };
    return hits.hits.map(({ _id }) => BigInt(_id)).toSorted((a, b) => Number(a - b));
  }
});
