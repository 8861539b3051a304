import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { observation } from '../../test-support/documents.ts';
import { RECORD_TOKEN } from '../../test-support/record-server.ts';
import { type SearchStack, startSearchStack } from '../../test-support/search-stack.ts';
import { start } from '../start.ts';

const RECORDED = 8_000;
const A_CALL = 500;
const STARTED_WITHIN_MS = 120_000;

let stack: SearchStack;
let database: pg.Client;
let child: ChildProcess | undefined;

beforeEach(async () => {
  stack = await startSearchStack();
  await stack.stop();
  database = new pg.Client({ connectionString: stack.database.url });
  await database.connect();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await database.end();
  await stack[Symbol.asyncDispose]();
});

test(
  'an index whose process is killed while it catches up goes on from the last page that was written',
  async () => {
    stack.record.put({
      observations: Array.from({ length: RECORDED }, (_, at) => observation(BigInt(at + 1), BigInt(at + 1), 'battery')),
    });
    child = spawnSearch();
    await expect.poll(indexed, { timeout: STARTED_WITHIN_MS, interval: 10 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = await indexed();
    expect(before).toBeLessThan(RECORDED);
    const calls = stack.record.documentCalls();
    await using _again = await start(stack.config, createLogger('search', 'silent'));
    await expect.poll(indexed, { timeout: STARTED_WITHIN_MS, interval: 50 }).toBe(RECORDED);
    expect(stack.record.documentCalls() - calls).toBe((RECORDED - before) / A_CALL);
  },
  STARTED_WITHIN_MS,
);

function spawnSearch(): ChildProcess {
  return spawn(process.execPath, [path.resolve(import.meta.dirname, '../main.ts')], {
    env: {
      CES_SEARCH_PORT: '0',
      CES_SEARCH_ADMIN_PORT: '0',
      CES_SEARCH_DATABASE_URL: stack.database.url,
      CES_RPC_TOKENS: `lookup=${RECORD_TOKEN}`,
      CES_LOOKUP_URL: stack.record.url,
      CES_LEAD_LEASE_MS: '600',
      CES_LEAD_RENEWAL_MS: '200',
      NATS_URL: inject('natsUrl'),
      CES_NATS_PREFIX: stack.natsPrefix,
    },
    stdio: 'ignore',
  });
}

async function indexed(): Promise<number> {
  const { rows } = await database.query<{ count: number }>('select count(*)::integer as count from indexed');
  return rows[0]?.count ?? 0;
}
