import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reserveSlot } from './politeness.ts';
import { claimQuestion } from './source-question.ts';
import { beginRun, failLostRuns } from './source-run.ts';

// Promise R6: the database clock is set back by an hour, so that earlier rows are an hour ahead.
const INTERVAL_MS = 10_000;
const SILENT_MS = 30_000;
const DAY_MS = 86_400_000;

let database: TestDatabase;
let pool: Pool;
let owner: Pool;

beforeAll(async () => {
  database = await createTestDatabase('acquisition');
  const logger = createLogger('test', 'silent');
  pool = createPool({ connectionString: database.url, max: 2, applicationName: 'test', logger });
  owner = createPool({ connectionString: database.ownerUrl, max: 1, applicationName: 'test', logger });
});
afterAll(async () => {
  await pool.end();
  await owner.end();
  await database[Symbol.asyncDispose]();
});

test('slots of a host keep their interval', async () => {
  for (const wait of [0, 1, 2])
    expect(Math.round((await reserveSlot(pool, 'source.example', INTERVAL_MS)) / INTERVAL_MS)).toBe(wait);
  await owner.query(
    `update host_pace set next_at = next_at + interval '1 hour', reserved_at = reserved_at + interval '1 hour'`,
  );
  for (const wait of [3, 4])
    expect(Math.round((await reserveSlot(pool, 'source.example', INTERVAL_MS)) / INTERVAL_MS)).toBe(wait);
});

test('a question of a dead process is asked by another, and an answer is cached', async () => {
  const claim = () => claimQuestion(pool, 'source', 'call', DAY_MS, SILENT_MS);
  expect(await claim()).toEqual({ kind: 'claimed' });
  await owner.query(`update source_question set asked_at = asked_at + interval '1 hour'`);
  expect(await claim()).toEqual({ kind: 'claimed' });
  await owner.query(`update source_question set state = 'answered', tx = 7, asked_at = asked_at + interval '1 hour'`);
  expect(await claim()).toEqual({ kind: 'answered', tx: 7n });
});

test('a run of a silent process fails after the usual silence', async () => {
  const id = await beginRun(pool, { source: 'source', trigger: 'schedule' });
  await owner.query(`update source_run set heartbeat_at = heartbeat_at + interval '1 hour'`);
  expect(await failLostRuns(pool, SILENT_MS)).toBe(0);
  await owner.query(`update source_run set heartbeat_at = heartbeat_at - interval '1 minute'`);
  expect(await failLostRuns(pool, SILENT_MS)).toBe(1);
  expect(await beginRun(pool, { source: 'source', trigger: 'schedule' })).toBe(id + 1n);
});
