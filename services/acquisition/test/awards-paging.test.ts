import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { RunState, type SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../src/connector/source.ts';
import { openfda510k } from '../src/sources/openfda-510k/source.ts';
import { sbirAwards } from '../src/sources/sbir-awards/source.ts';
import { type FakeRecord, startFakeRecord } from '../test-support/fake-record.ts';
import { type LocalServer, startLocalServer } from '../test-support/local-server.ts';
import { documentFile } from '../test-support/source-documents.ts';
import { type StartedAcquisition, startAcquisition } from '../test-support/started-acquisition.ts';

type Members = Record<string, unknown>;
type Answer = (url: URL, body: Members) => unknown;

function hurried(source: Source): Source {
  return { ...source, verified: true, politeness: { ...source.politeness, requestsPerSecond: 200 } };
}

const SOURCES = [sbirAwards, openfda510k].map(hurried);
let lookup: FakeRecord;
let server: LocalServer;
let acquisition: StartedAcquisition;
let answer: Answer = () => ({});
const bodies: Members[] = [];

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer(async (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const body = JSON.parse((await text(request)) || '{}');
    bodies.push(body);
    const said = answer(new URL(request.url ?? '', server.url), body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  const hosts = SOURCES.flatMap(({ hosts: [host] }) => (host ? [`${host}=${server.url}`] : []));
  acquisition = await startAcquisition({
    lookup,
    sources: SOURCES,
    env: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: hosts.join(','),
    },
  });
});

afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

async function run(source: Source): Promise<SourceRun> {
  bodies.length = 0;
  const { runId } = await acquisition.admin.runSource({ name: source.name });
  await expect
    .poll(async () => (await acquisition.admin.getRun({ runId })).run?.state, { timeout: 60_000, interval: 20 })
    .not.toBe(RunState.RUNNING);
  const { run: ended } = await acquisition.admin.getRun({ runId });
  if (!ended) throw new Error('the run is gone');
  return ended;
}

async function copies(path: string, pick: (document: Members) => Members, count: number, name: string) {
  const one = pick(JSON.parse(await readFile(documentFile(path), 'utf8')));
  return Array.from({ length: count }, (_, index) => ({ ...one, [name]: `${one[name]}${index}` }));
}

test('awards of SBIR are read to the last page of each year, and the second run records nothing new', async () => {
  const awards = await copies('sbir-awards/documents/awards.json', (list) => list[0] as Members, 620, 'contract');
  const thisYear = String(new Date().getUTCFullYear());
  answer = ({ searchParams }) => {
    const [start, rows] = [Number(searchParams.get('start')), Number(searchParams.get('rows'))];
    return searchParams.get('year') === thisYear ? awards.slice(start, start + rows) : [];
  };
  expect(await run(sbirAwards)).toMatchObject({ state: RunState.DONE, requests: 3n, records: 620n, created: 620n });
  expect(await run(sbirAwards)).toMatchObject({ state: RunState.DONE, records: 620n, created: 0n, seen: 620n });
});

test('clearances are skipped through, and the next run asks from the newest decision on', async () => {
  const path = 'openfda-510k/documents/clearances.json';
  const clearances = await copies(path, (one) => (one.results as Members[])[0] ?? {}, 1_200, 'k_number');
  const asked: string[] = [];
  answer = ({ searchParams }) => {
    asked.push(searchParams.get('search') ?? '');
    const [skip, limit] = [Number(searchParams.get('skip')), Number(searchParams.get('limit'))];
    return {
      meta: { results: { skip, limit, total: clearances.length } },
      results: clearances.slice(skip, skip + limit),
    };
  };
  expect(await run(openfda510k)).toMatchObject({ state: RunState.DONE, requests: 2n, records: 1_200n });
  asked.length = 0;
  await run(openfda510k);
  expect(asked[0]).toMatch(/^decision_date:\[2026-07-06 TO /);
});
