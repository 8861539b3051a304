import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { createFakeRecord, type FakeRecord } from '../../test-support/fake-record.ts';
import { ces, startFakeStack } from '../../test-support/fake-stack.ts';

const COMPANIES = 30;
const OBSERVATIONS = 1_200;

test('a folder is recorded whole, and a second run adds nothing', async () => {
  await using world = await startWorld();
  const first = await ces(['import', world.folder, '--json'], world.env);
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.json()).toMatchObject({
    dataset: path.basename(world.folder),
    companies: { read: COMPANIES, created: COMPANIES, refused: 0 },
    observations: { read: OBSERVATIONS, created: OBSERVATIONS, refused: 0, bad: 0 },
  });
  const second = await ces(['import', world.folder, '--json'], world.env);
  expect(second.json()).toMatchObject({
    companies: { created: 0, seen: COMPANIES },
    observations: { created: 0, seen: OBSERVATIONS },
  });
  expect(world.record.observations.size).toBe(OBSERVATIONS);
});

test('a line becomes a record with the hash of the line, its source and no identifiers', async () => {
  await using world = await startWorld();
  await ces(['import', world.folder, '--dataset', 'corpus'], world.env);
  expect(world.record.companies.get('corpus/3')).toMatchObject({
    name: 'Company 3',
    hostnames: ['c3.example'],
    identifiers: [],
  });
  const line = observationLines()[6] ?? '';
  expect(world.record.observations.get('corpus/7')).toMatchObject({
    companyKey: '8',
    kind: Kind.FACILITY_EXPANSION,
    origin: 'facilities',
    observedFact: 'Company 8 opened a plant.',
    contentHash: new Uint8Array(createHash('sha256').update(line).digest()),
    evidence: [{ excerpt: 'Company 8 opened a plant in Guelph, Ontario, and hires forty people for two new lines.' }],
  });
  expect(world.record.observations.get('corpus/7')?.expiresAt).toBeDefined();
});

test('expiry dates can be dropped, and a map says which file id became which id', async () => {
  await using world = await startWorld();
  const map = path.join(world.folder, 'map.jsonl');
  await ces(['import', world.folder, '--no-expiry', '--map', map], world.env);
  expect([...world.record.observations.values()].filter((row) => row.expiresAt)).toEqual([]);
  const rows = (await readFile(map, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(COMPANIES + OBSERVATIONS);
  expect(rows[0]).toEqual({ kind: 'company', file_id: 1, id: 1001 });
  expect(rows.at(-1)).toEqual({ kind: 'observation', file_id: OBSERVATIONS, id: 1000 + OBSERVATIONS });
});

test('an unreadable line is named, the lines before it are recorded, and the corrected file continues from there', async () => {
  await using world = await startWorld();
  await world.writeObservations(observationLines().with(700, '{"id": 701, "company"'));
  const stopped = await ces(['import', world.folder], world.env);
  expect(stopped.exitCode).toBe(1);
  expect(stopped.stderr).toContain('observations.jsonl line 701 cannot be read (it is not JSON): correct it');
  expect(stopped.stderr.trim().split('\n')).toHaveLength(1);
  expect(world.record.observations.size).toBe(700);
  await world.writeObservations(observationLines());
  const mended = await ces(['import', world.folder, '--json'], world.env);
  expect(mended.json()).toMatchObject({ observations: { created: 500, seen: 700 } });
});

test('a byte order mark is no part of the first line, and ends of lines are no part of any', async () => {
  await using world = await startWorld();
  await world.writeObservations(observationLines());
  await ces(['import', world.folder], world.env);
  const otherEnds = observationLines().map((line) => `${line}\r`);
  await world.writeObservations(otherEnds, '\ufeff');
  const again = await ces(['import', world.folder, '--json'], world.env);
  expect(again.json()).toMatchObject({ observations: { created: 0, seen: OBSERVATIONS, bad: 0 } });
});

test('a line that is not in UTF-8 is refused before anything of it is replaced', async () => {
  await using world = await startWorld();
  const [first = ''] = observationLines();
  await world.writeObservations([first.replace('}', ', "note": "Montr\xe9al"}')], '', 'latin1');
  const { exitCode, stderr } = await ces(['import', world.folder], world.env);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('observations.jsonl line 1 cannot be read (it is not UTF-8): correct it');
});

test('unreadable lines can be left out and are counted', async () => {
  await using world = await startWorld();
  await world.writeObservations(observationLines().with(3, '[]').with(900, '{"id": 901}'));
  const { exitCode, json } = await ces(['import', world.folder, '--skip-bad', '--json'], world.env);
  expect(exitCode).toBe(0);
  expect(json()).toMatchObject({ observations: { read: OBSERVATIONS, created: OBSERVATIONS - 2, bad: 2 } });
});

test('records that the service refuses are counted by reason, and the import continues', async () => {
  await using world = await startWorld();
  const abroad = (observationLines()[0] ?? '').replace('"CA"', '"MX"');
  const orphan = (observationLines()[1] ?? '').replace('{"id":3}', '{"id":99}');
  await world.writeObservations(observationLines().with(0, abroad).with(1, orphan));
  const { exitCode, stdout } = await ces(['import', world.folder], world.env);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ +1 {2}the country is neither CA nor US$/m);
  expect(stdout).toMatch(/^ +1 {2}its company is not recorded$/m);
});

test('an interrupted import keeps what it recorded, says so, and the next run brings the rest', async () => {
  await using world = await startWorld();
  const many = 4_000;
  await world.writeObservations(observationLines(many));
  const interrupt = new AbortController();
  world.record.onBatch = () => interrupt.abort();
  const stopped = await ces(['import', world.folder], world.env, { signal: interrupt.signal });
  expect(stopped.exitCode).toBe(1);
  expect(stopped.stderr).toContain('run the import again to continue');
  expect(world.record.observations.size).toBeLessThan(many);
  await ces(['import', world.folder], world.env);
  expect(world.record.observations.size).toBe(many);
});

test('a record that is away for a moment does not stop an import', async () => {
  await using world = await startWorld();
  world.record.outages = 2;
  expect(await ces(['import', world.folder], world.env)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(world.record.observations.size).toBe(OBSERVATIONS);
});

test('packed files are read, and one that was cut short is named', async () => {
  await using world = await startWorld();
  await rm(path.join(world.folder, 'observations.jsonl'));
  const packed = gzipSync(`${observationLines().join('\r\n')}`);
  await writeFile(path.join(world.folder, 'observations.jsonl.gz'), packed);
  expect(await ces(['import', world.folder], world.env)).toMatchObject({ exitCode: 0 });
  expect(world.record.observations.size).toBe(OBSERVATIONS);
  await writeFile(path.join(world.folder, 'observations.jsonl.gz'), packed.subarray(0, packed.length / 2));
  const { exitCode, stderr } = await ces(['import', world.folder], world.env);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /observations\.jsonl\.gz cannot be read after line \d+ \(unexpected end of file\): download it again\./,
  );
});

test('a folder without such files, or a name that does not exist, is refused in one sentence', async () => {
  await using world = await startWorld();
  expect((await ces(['import', os.devNull], world.env)).stderr).toContain('rename it');
  expect((await ces(['import', path.join(world.folder, 'none')], world.env)).stderr).toContain('does not exist');
});

interface World extends AsyncDisposable {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly record: FakeRecord;
  writeObservations(lines: readonly string[], mark?: string, charset?: BufferEncoding): Promise<void>;
}

async function startWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ces-import-'));
  const record = createFakeRecord();
  const stack = await startFakeStack({ lookup: record.routes });
  const write = (name: string, lines: readonly string[], mark = '', charset: BufferEncoding = 'utf8') =>
    writeFile(path.join(folder, name), `${mark}${lines.join('\n')}\n`, charset);
  await write('companies.jsonl', companyLines());
  await write('observations.jsonl', observationLines());
  return {
    folder,
    env: stack.env,
    record,
    writeObservations: (...written) => write('observations.jsonl', ...written),
    async [Symbol.asyncDispose]() {
      await stack[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

function companyLines(): string[] {
  return numbers(COMPANIES).map((id) =>
    JSON.stringify({
      id,
      name: `Company ${id}`,
      country: 'CA',
      domains: [{ id, hostname: `c${id}.example` }],
      meta: {},
    }),
  );
}

function observationLines(count = OBSERVATIONS): string[] {
  return numbers(count).map((id) => {
    const company = { id: (id % COMPANIES) + 1 };
    const fact = `Company ${company.id} opened a plant`;
    const excerpt = `${fact} in Guelph, Ontario, and hires forty people for two new lines. Write to jobs@c${id}.example.`;
    return JSON.stringify({
      id,
      company,
      kind: 'facility_expansion',
      observed_fact: `${fact}.`,
      why_it_may_matter: 'A new plant needs equipment.',
      demand_class: 'proxy',
      country: 'CA',
      confidence: 0.7,
      occurred_at: '2026-01-01T00:00:00Z',
      observed_at: '2026-01-02T00:00:00Z',
      expires_at: '2027-01-01T00:00:00Z',
      evidence: [
        { source_uri: `https://c${id}.example/news`, excerpt, occurred_at: null, observed_at: '2026-01-02T00:00:00Z' },
      ],
      meta: { source: 'facilities' },
    });
  });
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
