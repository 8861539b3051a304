import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '@ces/chassis/service/clock';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { observation } from '../../test-support/documents.ts';
import { vocabulary } from '../../test-support/index-under-test.ts';
import { openPostgresIndex } from '../../test-support/postgres-index.ts';
import { settings } from '../config.ts';
import { openPostgres } from './open-postgres.ts';

const LONG = { timeout: 60_000 };

function configOf(databaseUrl: string, memoryIndexMib: string) {
  return readSettings(settings, {
    CES_SEARCH_DATABASE_URL: databaseUrl,
    CES_SEARCH_MEMORY_INDEX_MIB: memoryIndexMib,
  });
}

test('the engine is ready when its index is in memory, which needs no search', async () => {
  await using filled = await openPostgresIndex();
  await filled.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  const blocker = new pg.Client({ connectionString: filled.database.ownerUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  const { pool } = filled;
  const around = {
    pool,
    clock: systemClock,
    placeCodes: vocabulary.placeCodes,
    logger: createLogger('test', 'silent'),
  };
  const engine = openPostgres(configOf(filled.database.url, '64'), around);
  expect(engine.readiness?.()).toMatchObject({ ready: false });
  await blocker.query('rollback');
  await blocker.end();
  await expect.poll(() => engine.readiness?.().ready, LONG).toBe(true);
  const { hits } = await filled.rankWith(engine.index)('battery');
  expect(hits.map((hit) => hit.observationId)).toEqual([1n]);
  await engine[Symbol.asyncDispose]();
});

test('a restarted engine is ready from the file of its index while the texts are locked', async () => {
  await using filled = await openPostgresIndex();
  await filled.apply({ observations: [observation(1n, 1n, 'battery plant')] });
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-index-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const config = { ...configOf(filled.database.url, '64'), indexDirectory: directory };
  const around = {
    pool: filled.pool,
    clock: systemClock,
    placeCodes: vocabulary.placeCodes,
    logger: createLogger('test', 'silent'),
  };
  const first = openPostgres(config, around);
  await expect.poll(() => readdir(directory), LONG).toEqual(['memory-index']);
  await first[Symbol.asyncDispose]();
  const blocker = new pg.Client({ connectionString: filled.database.ownerUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table entry in access exclusive mode');
  await using second = openPostgres(config, around);
  await expect.poll(() => second.readiness?.().ready, LONG).toBe(true);
  const { hits } = await filled.rankWith(second.index)('battery');
  expect(hits.map((hit) => hit.observationId)).toEqual([1n]);
  await blocker.query('rollback');
  await blocker.end();
});

test('a process without memory for the index is ready to fill it and answers no search', async () => {
  await using filled = await openPostgresIndex();
  const around = {
    pool: filled.pool,
    clock: systemClock,
    placeCodes: vocabulary.placeCodes,
    logger: createLogger('test', 'silent'),
  };
  await using engine = openPostgres(configOf(filled.database.url, '0'), around);
  expect(engine.readiness).toBeUndefined();
  await expect(filled.rankWith(engine.index)('battery')).rejects.toThrow('no memory index');
});
