import { randomUUID } from 'node:crypto';
import { connectMcp, type McpSession } from '@ces/gateway/test-support/mcp-client';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_STACK } from '../support/contract/fuzz.ts';
import { letTimePass } from '../support/let-time-pass.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, type Subscriber } from '../support/subscriber.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '../support/volume.ts';

// R12: a failure keeps its wording on every surface and every replay, and no unit moves.
const OPERATIONS = volumeOf(3, 500, 6);
const REPLAYS = 5;
const FAILURES = [
  { query: 'sandbox:planning_unavailable', code: 'planning_unavailable' },
  { query: 'sandbox:failed', code: 'search_failed' },
  { query: 'sandbox:slow', code: 'usage_expired' },
];

let stack: TestStack;
let subscriber: Subscriber;
let session: McpSession;

beforeAll(async () => {
  stack = await startTestStack({ env: { ...FUZZ_STACK.env, CES_OPERATIONS_SWEEP_INTERVAL_MS: '100' } });
  subscriber = await createSubscriber(stack, { testMode: true, plan: 'builder' });
  session = await connectMcp(stack.baseUrl, '2026-07-28', subscriber.token);
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

async function failed(query: string, code: string) {
  const key = randomUUID();
  const { body } = await subscriber.search({ query, background: true }, key);
  const { id } = body.usage;
  if (code === 'usage_expired') await letTimePass(stack, id, '1 hour');
  await expect.poll(async () => (await subscriber.poll(id)).status).toBe(422);
  return { query, code, key, first: (await subscriber.poll(id)).body };
}

async function snapshotOf(): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: stack.databases.ledger.ownerUrl });
  await client.connect();
  try {
    const holds = await client.query('select * from hold order by operation_id');
    const entries = await client.query('select * from entry order by operation_id');
    return [holds.rows, entries.rows];
  } finally {
    await client.end();
  }
}

test(
  `${OPERATIONS} failed operations replay alike by key, poll and MCP, ${REPLAYS} times each, and move no unit`,
  async () => {
    const ended = [];
    for (let made = 0; made < OPERATIONS; made += 1) {
      const { query = '', code = '' } = FAILURES[made % FAILURES.length] ?? {};
      ended.push(await failed(query, code));
    }
    const before = await snapshotOf();
    for (const { query, code, key, first } of ended) {
      expect(first.error.code).toBe(code);
      expect(first.usage).toMatchObject({ status: 'failed', request_units: 0, delivered_units: 0 });
      for (let replay = 0; replay < REPLAYS; replay += 1) {
        const byKey = await subscriber.search({ query }, key);
        expect([byKey.status, byKey.headers.get('idempotent-replayed'), byKey.body]).toEqual([422, 'true', first]);
        const polled = await subscriber.poll(first.usage.id);
        expect([polled.status, polled.body]).toEqual([422, first]);
        const byTool = await session.call('search_companies', { query, request_key: key });
        expect([byTool.isError, byTool.structuredContent]).toEqual([true, first]);
      }
    }
    expect(await snapshotOf()).toEqual(before);
    expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 0, delivered_units: 0 });
  },
  VOLUME_TIMEOUT_MS,
);

test('a company that is not found stays so for its key, by path and by tool, and costs one request unit once', async () => {
  const key = randomUUID();
  const before = (await subscriber.report()).body.usage.request_units;
  const first = await subscriber.request('GET', '/api/companies/999999', { key });
  expect([first.status, first.body.error.code]).toEqual([404, 'company_not_found']);
  expect(first.body.usage).toMatchObject({ status: 'delivered', request_units: 1, delivered_units: 0 });
  const snapshot = await snapshotOf();
  for (let replay = 0; replay < REPLAYS; replay += 1) {
    const again = await subscriber.request('GET', '/api/companies/999999', { key });
    expect([again.status, again.body]).toEqual([404, first.body]);
    const byTool = await session.call('get_companies', { ids: [999_999], request_key: key });
    expect(byTool.structuredContent).toMatchObject({
      lookups: [{ status: 'not_found', id: 999_999 }],
      usage: first.body.usage,
    });
  }
  expect(await snapshotOf()).toEqual(snapshot);
  expect((await subscriber.report()).body.usage.request_units).toBe(before + 1);
});
