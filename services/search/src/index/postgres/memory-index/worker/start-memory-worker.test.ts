import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Code } from '@connectrpc/connect';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { company, filters, observation } from '../../../../../test-support/documents.ts';
import { indexUnderTest, vocabulary } from '../../../../../test-support/index-under-test.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../../test-support/postgres-index.ts';
import { createPostgresIndex } from '../../postgres-index.ts';
import { startMemoryWorker } from './start-memory-worker.ts';

let inThread: PostgresIndexUnderTest;
let memory: ReturnType<typeof startMemoryWorker>;
let subject: ReturnType<typeof indexUnderTest>;

beforeAll(async () => {
  inThread = await openPostgresIndex();
  await inThread.apply({
    companies: [company(1n, 'Harbor Cells', { profile: 'Harbor Cells makes battery cells.' }), company(2n, 'Bakers')],
    observations: [
      observation(11n, 1n, 'opened a battery plant in Reno, NV'),
      observation(21n, 2n, 'enlarged a battery store of $4 million'),
    ],
  });
  const options = { databaseUrl: inThread.database.url, tls: {}, mostBytes: 64_000_000, model: undefined };
  memory = startMemoryWorker(options, createLogger('search', 'silent'));
  const around = { pool: inThread.pool, clock: systemClock, placeCodes: vocabulary.placeCodes };
  subject = indexUnderTest(createPostgresIndex({ ...around, memory }), around.pool);
});
afterAll(async () => {
  await memory[Symbol.asyncDispose]();
  await inThread[Symbol.asyncDispose]();
});

test('a thread of its own ranks as the thread of the caller does', async () => {
  await expect.poll(() => memory.state().isLoaded).toBe(true);
  for (const query of ['battery plants in Nevada', '"battery store" -Reno', 'stores over $2 million', 'nothing of it'])
    expect(await subject.rank(query, filters())).toEqual(await inThread.rank(query, filters()));
});

test('literal searches are answered there too', async () => {
  const query = { words: ['battery'], filters: filters(), recordedBy: undefined, before: undefined, limit: 5 };
  const ask = { ...query, timeoutMs: undefined };
  expect(await subject.index.findLiterally(ask)).toEqual(await inThread.index.findLiterally(ask));
  expect(await subject.index.findLiterally(ask)).toHaveLength(2);
});

test('a search that the thread cannot answer in time fails as unavailable', async () => {
  const blocker = new pg.Client({ connectionString: inThread.database.ownerUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const version = {
    version: 1_000_000n,
    vectors: 0n,
    origin: 'another',
    position: undefined,
    keptFrom: undefined,
    now: 0,
  };
  const partitioning = { boundary: new Date(), now: new Date() };
  const query = { words: ['battery'], filters: filters(), recordedBy: undefined, before: undefined, limit: 5 };
  const asked = memory.findLiterally({ ...query, timeoutMs: 50 }, { partitioning, version });
  await expect(asked).rejects.toMatchObject({ code: Code.Unavailable });
  await blocker.query('rollback');
  await blocker.end();
  expect((await subject.rank('battery')).hits).toHaveLength(2);
});
