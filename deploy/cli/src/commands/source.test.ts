import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AcquisitionAdminService,
  type IngestedFile,
  type SetSourceRequest,
  type TrySourceRequest,
} from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { RunState, SourceState } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ces, type FakeStack, startFakeStack } from '../../test-support/fake-stack.ts';

const AT = timestampFromDate(new Date('2026-11-21T12:00:00Z'));
const REFUSED = { field: 'closes', reason: 'is missing', count: 2n, example: 'T-1' };

let stack: FakeStack;
let folder: string;
let changed: SetSourceRequest | undefined;
let tried: TrySourceRequest | undefined;
let received: { file?: IngestedFile; bytes: number };
let looks: number;
let broken: { evidenceId: bigint; observationId: bigint; source: string; problem: string }[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ces-source-'));
  stack = await startFakeStack({
    lookup: (router) => {
      router.service(RecordService, {
        verifyRecord: ({ afterId }) => ({ checked: 500, lastId: afterId + 500n, hasMore: afterId === 0n }),
      });
      router.service(LookupService, {
        listSources: () => ({
          coverage: [
            {
              source: 'sam',
              kind: Kind.PROCUREMENT_REQUEST,
              country: Country.US,
              weekCount: 1200n,
              medianDelayS: 7200,
            },
            { source: 'sam', kind: Kind.PROCUREMENT_REQUEST, country: Country.CA, weekCount: 5n },
          ],
        }),
      });
    },
    acquisition: (router) =>
      router.service(AcquisitionAdminService, {
        listSources: () => ({
          sources: [
            { name: 'ocds', state: SourceState.ENABLED, verified: true, rawRecords: 5513n, freshAt: AT },
            {
              name: 'sam',
              state: SourceState.UNVERIFIED,
              driftAt: AT,
              driftMissing: ['closes'],
              everyMinutes: 60,
              weekShare: 6 / 7,
            },
          ],
        }),
        setSource: (request) => {
          changed = request;
          return { source: { name: request.name, state: SourceState.DISABLED, reason: request.reason } };
        },
        runSource: () => ({ runId: 7n }),
        getRun: () => {
          looks += 1;
          return { run: { id: 7n, source: 'ocds', state: looks > 1 ? RunState.DONE : RunState.RUNNING, records: 3n } };
        },
        listRuns: () => ({ runs: [] }),
        trySource: (request) => {
          tried = request;
          const observation = {
            kind: 'job_posting',
            company: 'Weirworks',
            country: 'CA',
            occurredAt: AT,
            observedFact: 'Weirworks is hiring: Lock Keeper',
            excerpts: ['Lock Keeper\nPeterborough'],
            sourceUri: 'https://jobs.example/1',
          };
          const records = [
            { key: '1', observations: [observation] },
            { key: '2', refused: ['date is missing'] },
          ];
          const uri = 'https://api.example/jobs';
          const exchange = request.exchanges ? Buffer.from('{"jobs":[]}') : new Uint8Array();
          return { pages: [{ uri, contentType: 'application/json', bytes: 11n, records, fetchedAt: AT, exchange }] };
        },
        ingestDocument: async (parts) => {
          for await (const { part } of parts) {
            if (part.case === 'file') received.file = part.value;
            if (part.case === 'chunk') received.bytes += part.value.length;
          }
          const run = {
            id: 8n,
            source: 'ocds',
            records: 3n,
            created: 1n,
            refused: [REFUSED],
            driftMissing: ['closes'],
          };
          return { run: { ...run, state: RunState.DRIFT } };
        },
        verifyEvidence: ({ afterId }) => ({ checked: 40, broken, lastId: afterId + 40n }),
      }),
  });
});
beforeEach(() => {
  changed = undefined;
  received = { bytes: 0 };
  looks = 0;
  broken = [];
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test('sources are listed with their state, freshness and alarms', async () => {
  const shown = await ces(['source', 'list'], stack.env);
  expect([shown.exitCode, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toMatch(/ocds +enabled +manual +no +5,513 +2026-11-21 12:00:00Z +0 +never/);
  expect(shown.stdout).toMatch(/sam +off, unverified +60 min .* 85 % +1,205 .*drift: closes/);
  const json = await ces(['source', 'list', '--json'], stack.env);
  expect(json.json<{ sources: { name: string }[] }>().sources.map((source) => source.name)).toEqual(['ocds', 'sam']);
});

test('sources are listed, and it is said that coverage is not available, while lookup does not answer', async () => {
  const env = { ...stack.env, CES_LOOKUP_URL: 'http://127.0.0.1:1' };
  const shown = await ces(['source', 'list'], env);
  expect([shown.exitCode, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toMatch(/ocds +enabled/);
  expect(shown.stdout).toContain('Coverage is not available: the lookup service does not answer.');
  const json = await ces(['source', 'list', '--json'], env);
  expect(json.json()).toMatchObject({ coverage: null, sources: [{ name: 'ocds' }, { name: 'sam' }] });
  expect((await ces(['source', 'show', 'sam'], env)).exitCode).toBe(0);
});

test('a source is shown with what is here of the last week, by kind and country', async () => {
  const { stdout } = await ces(['source', 'show', 'sam'], stack.env);
  expect(stdout).toMatch(/week covered +85 % of what it published in the last 7 days/);
  expect(stdout).toMatch(/procurement_request +US +1,200 +2\.0 h/);
});

test('a file is sent whole, and a run that is not done ends with exit code 1 and the reasons', async () => {
  const file = path.join(folder, 'releases.json');
  await writeFile(file, 'x'.repeat(200_000));
  const { exitCode, stdout } = await ces(['source', 'ingest', 'ocds', file], stack.env);
  expect(received).toMatchObject({ file: { source: 'ocds', name: 'releases.json', size: 200_000n }, bytes: 200_000 });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/state +drift/);
  expect(stdout).toMatch(/2 +closes +is missing +T-1/);
  const missing = await ces(['source', 'ingest', 'ocds', path.join(folder, 'none.json')], stack.env);
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('cannot be opened')]);
});

test('a run is followed to its end', async () => {
  const { exitCode, stdout } = await ces(['source', 'run', 'ocds'], stack.env);
  expect([exitCode, looks]).toEqual([0, 2]);
  expect(stdout).toMatch(/state +done/);
});

test('a try shows the records that would be stored and the reasons against the rest, and saves the answer to the given path', async () => {
  const args = ['source', 'try', 'boards', '--setting', 'list=acme', '--pages', '2'];
  const { exitCode, stdout, stderr } = await ces(args, stack.env);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(tried).toMatchObject({ name: 'boards', pages: 2, records: 50, settings: { list: 'acme' }, exchanges: false });
  expect(stdout).toMatch(/job_posting +Weirworks is hiring: Lock Keeper/);
  expect(stdout).toMatch(/1 +date is missing +2/);
  expect(stdout).toContain('Nothing was recorded.');
  const keep = path.join(folder, 'exchanges');
  const kept = await ces(['source', 'try', 'boards', '--keep', keep, '--json'], stack.env);
  expect(kept.json<{ kept: string[] }>().kept).toEqual([path.join(keep, 'boards-1.json')]);
  expect(await readFile(path.join(keep, 'boards-1.json'), 'utf8')).toBe('{"jobs":[]}');
  expect(JSON.parse(await readFile(path.join(keep, 'boards-1.exchange.json'), 'utf8'))).toMatchObject({
    uri: 'https://api.example/jobs',
    whole: true,
  });
});

test('a source is disabled with a reason and set up with settings', async () => {
  expect((await ces(['source', 'disable', 'ocds'], { ...stack.env, CES_REASON: '' })).exitCode).toBe(2);
  const { stdout } = await ces(['source', 'disable', 'ocds', '--reason', 'asked to stop'], stack.env);
  expect(changed).toMatchObject({ name: 'ocds', enabled: false, reason: 'asked to stop' });
  expect(stdout).toMatch(/state +disabled/);
  await ces(['source', 'set', 'boards', '--setting', 'list=a,b', '--setting', 'old='], stack.env);
  expect(changed?.settings).toEqual({ list: 'a,b', old: '' });
});

test('evidence is verified page by page in the record and against raw records; broken evidence ends with exit code 1', async () => {
  const well = await ces(['evidence', 'verify', '--json'], stack.env);
  expect([well.exitCode, well.json()]).toEqual([0, { observations: 1000, excerpts: 40, broken: [] }]);
  broken = [{ evidenceId: 4n, observationId: 9n, source: 'ocds', problem: 'its raw record has changed' }];
  const bad = await ces(['evidence', 'verify'], stack.env);
  expect(bad.exitCode).toBe(1);
  expect(bad.stdout).toMatch(/9 +4 +ocds +its raw record has changed/);
});
