import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createPool } from '@ces/chassis/postgres/pool';
import { systemClock } from '@ces/chassis/service/clock';
import { createLogger } from '@ces/chassis/telemetry/log';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ACTIVITY_KINDS, company, filters, instant, observation } from '../../../../../test-support/documents.ts';
import { type IndexUnderTest, indexUnderTest, vocabulary } from '../../../../../test-support/index-under-test.ts';
import { openPostgresIndex, type PostgresIndexUnderTest } from '../../../../../test-support/postgres-index.ts';
import { digestOf } from '../../../../embedding/observation-vector.ts';
import { writeVectors } from '../../../../embedding/vector-table.ts';
import { planQuery } from '../../../../planning/plan-query.ts';
import { createPostgresIndex } from '../../postgres-index.ts';
import { loadIndex } from '../loading/load-index.ts';
import { createMemorySearch } from '../memory-search.ts';
import { readFrames, writeFrames } from './frames.ts';
import { createIndexFile } from './index-file.ts';

const MODEL = 'plane/1';
const MOST_BYTES = 64_000_000;
const LONG = { timeout: 60_000 };
const EAST = Int8Array.of(100, 0);
const OLD = '2021-05-05T00:00:00Z';

let subject: PostgresIndexUnderTest;
let blocker: pg.Client;
let directory: string;
let file: string;
let failures: string[];

beforeEach(async () => {
  subject = await openPostgresIndex({ model: MODEL });
  blocker = new pg.Client({ connectionString: subject.database.ownerUrl });
  await blocker.connect();
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-index-'));
  file = path.join(directory, 'memory-index');
  failures = [];
  await subject.apply({
    companies: [
      company(1n, 'Harbor Cells', {
        profile: 'Harbor Cells makes battery cells.',
        domains: [{ hostname: 'harbor.example' }, { hostname: 'old.example', supportedUntil: instant(OLD) }],
      }),
      company(2n, 'Corner Bakery', {
        profile: 'Corner Bakery bakes bread.',
        domains: [{ hostname: 'corner.example' }],
      }),
      company(3n, 'Harbour Cells', { survivorId: 1n, domains: [{ hostname: 'harbour.example' }] }),
      company(4n, 'Gone', { domains: [{ hostname: 'gone.example' }] }),
    ],
    observations: [
      observation(11n, 1n, 'opened a battery plant of $4 million in Reno, NV'),
      observation(12n, 1n, 'hires a battery engineer', { kind: Kind.JOB_POSTING }),
      observation(13n, 1n, 'enlarged a battery store', { deliverableUntil: instant('2099-01-01T00:00:00Z') }),
      observation(14n, 1n, 'closed a battery store', { deliverableUntil: instant('2026-11-01T00:00:00Z') }),
      observation(21n, 2n, 'opened a bakery with a battery', { occurredAt: instant(OLD) }),
      observation(22n, 2n, 'withdrew a battery'),
      observation(31n, 5n, 'planned a tower'),
    ],
  });
  await subject.apply({
    companies: [{ id: 4n, version: 2n, tombstone: true }],
    observations: [
      { ...observation(22n, 2n, ''), version: 2n, tombstone: true },
      observation(12n, 1n, 'hires a battery chemist', { version: 2n, kind: Kind.JOB_POSTING }),
    ],
  });
  await writeVector(31n, EAST);
  await writeVector(21n, Int8Array.of(80, 60));
});
afterEach(async () => {
  await blocker.end();
  await subject[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function writeVector(observationId: bigint, vector: Int8Array): Promise<void> {
  const vectors = [{ observationId, vector, digest: digestOf('') }];
  await writeVectors(subject.pool, { model: MODEL, vectors, gone: [], to: undefined }, 1n);
}

interface Options {
  readonly mostBytes?: number;
  readonly model?: string | undefined;
}

function optionsOf({ mostBytes = MOST_BYTES, ...rest }: Options = {}) {
  const model = 'model' in rest ? rest.model : MODEL;
  const onFailure = (error: unknown) => failures.push(String(error));
  return { pool: subject.pool, directory, mostBytes, model, onFailure };
}

/** Writes the file of a process that has just loaded the index. */
async function save(options: Options = {}): Promise<void> {
  const { pool, mostBytes, model } = optionsOf(options);
  const index = await loadIndex(pool, mostBytes, model);
  if (!index) throw new Error('the index was not loaded');
  await createIndexFile(optionsOf(options)).keep(index);
}

/** The index of another process, which begins with the file. */
function restart(options: Options = {}): Pick<IndexUnderTest, 'index' | 'rank'> {
  const memory = createMemorySearch(optionsOf(options));
  const around = { pool: subject.pool, clock: systemClock, placeCodes: vocabulary.placeCodes };
  return indexUnderTest(createPostgresIndex({ ...around, memory }), around.pool);
}

/** Answers to every kind of search. */
async function answersOf({ index, rank }: Pick<IndexUnderTest, 'index' | 'rank'>) {
  const all = filters({ kinds: [...ACTIVITY_KINDS, Kind.COMPANY_PROFILE] });
  const meaning = { model: MODEL, vector: EAST, weight: 20, findsFrom: 0.5 };
  const limits = { companies: 10, observationsPerCompany: 3, timeoutMs: undefined };
  const literal = { words: ['battery'], filters: all, recordedBy: undefined, before: undefined, limit: 9 };
  const ranked = [
    await rank('battery plants in Nevada', all),
    await rank('"battery store" -Reno', all),
    await rank('plants over $2 million', all),
    await rank('makes battery cells', all),
    await rank('batery', all),
    ...(await Promise.all(
      ['harbor', 'old', 'harbour', 'gone'].map((name) => rank('battery', filters({ domains: [`${name}.example`] }))),
    )),
    await index.rank({ plan: planQuery('zeppelins', all, vocabulary, new Date()), filters: all, ...limits, meaning }),
  ];
  return { ranked, literal: await index.findLiterally({ ...literal, timeoutMs: undefined }) };
}

/** Runs without access to the texts in the database. */
async function withoutTexts<T>(run: () => Promise<T>): Promise<T> {
  await blocker.query('begin');
  await blocker.query('lock table entry, company_doc in access exclusive mode');
  return await run().finally(() => blocker.query('rollback'));
}

test('a restart with the file answers as one without, and reads no text from the database', async () => {
  await save();
  const answers = await answersOf(subject);
  expect(answers.ranked.flatMap(({ hits }) => hits).length).toBeGreaterThan(10);
  expect(answers.literal.length).toBeGreaterThan(3);
  expect(await withoutTexts(() => answersOf(restart()))).toEqual(answers);
  expect(failures).toEqual([]);
});

test('changes made while the process was stopped are caught up with, and withdrawn documents are not shown', async () => {
  await save();
  await subject.apply({
    companies: [company(2n, 'Corner Bakery', { version: 2n, survivorId: 1n })],
    observations: [
      { ...observation(11n, 1n, ''), version: 2n, tombstone: true },
      observation(15n, 1n, 'sold a battery plant in Reno, NV'),
      observation(13n, 1n, 'enlarged a battery factory', { version: 2n }),
    ],
  });
  await writeVector(15n, EAST);
  const restarted = restart();
  expect(await answersOf(restarted)).toEqual(await answersOf(subject));
  const found = (await restarted.rank('battery plant')).hits.map(({ observationId }) => observationId);
  expect(found).toContain(15n);
  expect(found).not.toContain(11n);
  expect(failures).toEqual([]);
});

test('a file is read again and again, and also the one that was written from a file', async () => {
  await save();
  for (let round = 0; round < 2; round += 1) {
    const read = await createIndexFile(optionsOf()).read();
    if (!read) throw new Error('the file was not read');
    await createIndexFile(optionsOf()).keep(read);
  }
  const answers = await answersOf(subject);
  expect(await withoutTexts(() => answersOf(restart()))).toEqual(answers);
});

const DAMAGED: Record<string, (bytes: Buffer) => Promise<void>> = {
  'a damaged byte at the front': async (bytes) => flip(bytes, 20),
  'a damaged byte in the middle': async (bytes) => flip(bytes, bytes.length >> 1),
  'a damaged byte at the end': async (bytes) => flip(bytes, bytes.length - 1),
  'a damaged length': async (bytes) => flip(bytes, 3),
  'no last byte': async (bytes) => truncate(file, bytes.length - 1),
  'only a half': async (bytes) => truncate(file, bytes.length >> 1),
  'no bytes': async () => truncate(file, 0),
  'more bytes': async (bytes) => writeFile(file, Buffer.concat([bytes, Buffer.of(1)])),
  'other content': async () => writeFile(file, 'something else altogether'),
};

async function flip(bytes: Buffer, at: number): Promise<void> {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

/** The next restart must load from the database, say so once, and delete the file. */
async function expectUnused(options: Options = {}): Promise<void> {
  const answers = await answersOf(restart(options));
  expect(failures).toHaveLength(1);
  expect(await readdir(directory)).toEqual([]);
  expect(answers).toEqual(await answersOf(restart({ ...options })));
  expect(failures).toHaveLength(1);
}

test.each(Object.keys(DAMAGED))('a file with %s is deleted and not used', async (what) => {
  await save();
  await DAMAGED[what]?.(await readFile(file));
  await expectUnused();
});

test('a file of another format is not used', async () => {
  await save();
  const head = await readFrames(file, (from) => from.value<object>());
  await writeFrames(file, (to) => to.value({ ...head, format: 0 }));
  await expectUnused();
  expect(failures[0]).toContain('another format');
});

test('a file with vectors of another model is not used', async () => {
  await save();
  await expectUnused({ model: undefined });
});

test('a file that left out months is not used with more memory', async () => {
  const little = { mostBytes: 4_000 };
  await save(little);
  await expectUnused();
  expect((await restart().rank('bakery')).hits).toHaveLength(1);
});

test('a file of another database is not used', async () => {
  await save();
  await using other = await openPostgresIndex({ model: MODEL });
  await other.apply({ observations: [observation(1n, 1n, 'another battery')] });
  const read = await createIndexFile({ ...optionsOf(), pool: other.pool }).read();
  expect({ read, failures: failures.length }).toEqual({ read: undefined, failures: 1 });
});

test('a file of a later moment than that to which the database was restored is not used', async () => {
  const { rows } = await blocker.query<{ version: bigint }>('select version from index_version');
  await subject.apply({ observations: [observation(41n, 4n, 'a lost battery')] });
  await save();
  /* The database forgets the observation and goes on with another one, under the same version. */
  await blocker.query('alter table indexed disable trigger user');
  await blocker.query('delete from indexed where observation_id = 41');
  await blocker.query('delete from entry where observation_id = 41');
  await blocker.query('alter table indexed enable trigger user');
  await blocker.query('delete from index_change where version > $1', [rows[0]?.version]);
  await blocker.query('update index_version set version = $1', [rows[0]?.version]);
  await subject.apply({ observations: [observation(42n, 4n, 'a later battery')] });
  const found = (await restart().rank('battery')).hits.map(({ observationId }) => observationId);
  expect(found).toContain(42n);
  expect(found).not.toContain(41n);
  expect(failures).toHaveLength(1);
});

test('a file from before what the database notes is not used', async () => {
  await save();
  await subject.apply({ observations: [{ ...observation(11n, 1n, ''), version: 2n, tombstone: true }] });
  await blocker.query('delete from index_change where version < (select version from index_version)');
  const found = (await restart().rank('battery plant')).hits.map(({ observationId }) => observationId);
  expect(found).not.toContain(11n);
  expect(failures).toHaveLength(1);
});

test('a file is not used if it is faster to load the index', async () => {
  await save();
  await subject.apply({
    observations: Array.from({ length: 1_100 }, (_, at) => observation(BigInt(1_000 + at), 7n, `opened foundry ${at}`)),
  });
  await expectUnused();
  expect(failures[0]).toContain('too much has changed');
});

test('a file is kept while the database does not answer', async () => {
  await save();
  const ended = createPool({
    connectionString: subject.database.url,
    max: 1,
    applicationName: 'search test',
    pipeline: true,
    logger: createLogger('search', 'silent'),
  });
  await ended.end();
  await expect(createIndexFile({ ...optionsOf(), pool: ended }).read()).rejects.toThrow('after calling end');
  expect({ files: await readdir(directory), failures }).toEqual({ files: ['memory-index'], failures: [] });
});

test('a process that is killed while it writes leaves the file as it was', async () => {
  await save();
  const before = await readFile(file);
  const frames = path.resolve(import.meta.dirname, 'frames.ts');
  const program = `import { writeFrames } from ${JSON.stringify(frames)};
    await writeFrames(${JSON.stringify(file)}, async (to) => {
      await to.value('a beginning');
      process.stdout.write('begun');
      await new Promise((resolve) => setInterval(resolve, 2 ** 30));
    });`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(directory)).toHaveLength(2);
  expect(await readFile(file)).toEqual(before);
  const answers = await answersOf(subject);
  expect(await withoutTexts(() => answersOf(restart()))).toEqual(answers);
  await save();
  expect(await readdir(directory)).toEqual(['memory-index']);
});

test('a process that follows the database writes the file, and again when much has changed', async () => {
  const ended = new AbortController();
  const memory = createMemorySearch({ ...optionsOf(), directory: path.join(directory, 'a', 'folder') });
  file = path.join(directory, 'a', 'folder', 'memory-index');
  const size = () =>
    stat(file).then(
      (found) => found.size,
      () => 0,
    );
  const following = memory.keepUp(ended.signal);
  await expect.poll(size, LONG).toBeGreaterThan(0);
  const first = await size();
  await subject.apply({
    observations: Array.from({ length: 1_100 }, (_, at) => observation(BigInt(1_000 + at), 7n, `opened foundry ${at}`)),
  });
  await expect.poll(size, LONG).toBeGreaterThan(first * 2);
  ended.abort();
  await following;
  expect(failures).toEqual([]);
});

test('a folder that cannot be written is reported, and searches are answered', async () => {
  await writeFile(path.join(directory, 'a-file'), '');
  directory = path.join(directory, 'a-file');
  await save();
  expect(failures).toHaveLength(1);
  expect((await restart().rank('bakery')).hits).toHaveLength(1);
  directory = path.dirname(directory);
});
