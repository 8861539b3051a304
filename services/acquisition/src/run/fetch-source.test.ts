import { gzipSync } from 'node:zlib';
import { RunState, type SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { type FakeRecord, startFakeRecord } from '../../test-support/fake-record.ts';
import { type Handler, type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { type StartedAcquisition, startAcquisition } from '../../test-support/started-acquisition.ts';

const CSV = [
  'number,title,buyer,published,closes,text,status,contact',
  ...Array.from(
    { length: 300 },
    (_, index) => `T-${index},Works,Town,2026-11-02,2026-12-01,${'Road. '.repeat(40)},open,`,
  ),
].join('\n');

let lookup: FakeRecord;
let server: LocalServer;
let acquisition: StartedAcquisition;

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer((_, response) => response.end());
  acquisition = await startAcquisition({
    lookup,
    sources: [bulletin],
    env: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: `bulletin.example=${server.url}`,
      CES_ACQUISITION_USER_AGENT: 'tester/1 (ops@operator.example)',
    },
  });
  await acquisition.admin.setSource({
    name: 'bulletin',
    settings: { address: 'https://bulletin.example/tenders.csv' },
  });
});

beforeEach(async () => {
  server.requests.length = 0;
  await acquisition.owner.query('truncate fetched_document');
});

afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

function answer(handler: Handler): void {
  server.answer((request, response) => {
    if (request.url !== '/robots.txt') return handler(request, response);
    response.statusCode = 404;
    response.end();
  });
}

async function run(): Promise<SourceRun> {
  const { runId } = await acquisition.admin.runSource({ name: 'bulletin' });
  await expect
    .poll(async () => (await acquisition.admin.getRun({ runId })).run?.state, { timeout: 60_000, interval: 20 })
    .not.toBe(RunState.RUNNING);
  const { run: ended } = await acquisition.admin.getRun({ runId });
  if (!ended) throw new Error('the run is gone');
  return ended;
}

function asked() {
  return server.requests.filter((request) => request.url !== '/robots.txt');
}

test('a run fetches the published documents, identifies itself, and asks conditionally the next time', async () => {
  answer((request, response) => {
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
    else response.writeHead(200, { etag: '"v1"', 'content-encoding': 'gzip' }).end(gzipSync(CSV));
  });
  expect(await run()).toMatchObject({ state: RunState.DONE, records: 300n, created: 300n, requests: 1n });
  expect(asked()[0]?.headers['user-agent']).toBe('tester/1 (ops@operator.example)');
  expect(await run()).toMatchObject({ state: RunState.DONE, records: 0n, documents: 0n, requests: 1n });
  const { sources } = await acquisition.admin.listSources({});
  expect(sources[0]).toMatchObject({ rawRecords: 300n });
  expect(sources[0]?.freshAt).toBeDefined();
});

test('a run makes a source fresh and reports it to the record; a file does not, for a source that is fetched', async () => {
  const freshAt = async () => (await acquisition.admin.listSources({})).sources[0]?.freshAt?.seconds;
  const told = () => lookup.sources.get('bulletin')?.readAt?.seconds;
  await acquisition.owner.query('update source_state set fresh_at = null');
  expect(await acquisition.ingest('bulletin', CSV)).toMatchObject({ state: RunState.DONE });
  expect(await freshAt()).toBeUndefined();
  answer((_, response) => response.end(CSV));
  await run();
  const readAt = await freshAt();
  expect(readAt).toBeDefined();
  await expect.poll(told).toBe(readAt);
});

test('a source that demands a contact receives it, and is not asked while a setting is missing', async () => {
  answer((_, response) => response.end(CSV));
  await acquisition.admin.setSource({ name: 'bulletin', settings: { contact: 'Ops <ops@operator.example>' } });
  await run();
  expect(asked()[0]?.headers['user-agent']).toBe('tester/1 (ops@operator.example) (Ops <ops@operator.example>)');
  await acquisition.admin.setSource({ name: 'bulletin', settings: { contact: '', address: '' } });
  await expect(run()).rejects.toThrow('bulletin cannot run without its settings address.');
  const address = 'https://bulletin.example/tenders.csv';
  await acquisition.admin.setSource({ name: 'bulletin', settings: { address } });
});

test('an answer that breaks off goes on where it ended', async () => {
  const body = Buffer.from(CSV);
  answer((request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const headers = { etag: '"v2"', 'accept-ranges': 'bytes', 'content-length': body.length - from };
    response.writeHead(from > 0 ? 206 : 200, headers);
    if (from === 0) response.write(body.subarray(0, 40_000), () => response.destroy());
    else response.end(body.subarray(from));
  });
  expect(await run()).toMatchObject({ state: RunState.DONE, records: 300n, requests: 2n, bytes: BigInt(body.length) });
  expect(asked()[1]?.headers).toMatchObject({ range: 'bytes=40000-', 'if-range': '"v2"' });
});

test('a source that is busy is asked again later, and one that refuses is not', async () => {
  let times = 0;
  answer((_, response) => {
    times += 1;
    if (times < 3) response.writeHead(503).end();
    else response.end(CSV);
  });
  expect(await run()).toMatchObject({ state: RunState.DONE, requests: 3n });
  answer((_, response) => response.writeHead(403).end());
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure: 'the source answered 403', requests: 1n });
});

test.each([
  ['http://127.0.0.1:1/', /none of the hosts/],
  ['http://169.254.169.254/latest/meta-data', /none of the hosts/],
  ['file:///etc/passwd', /only http and https/],
  ['https://user:pass@bulletin.example/', /with credentials/],
  ['http://bulletin.example/again', /from https to http/],
  ['/again', /redirected more than 5 times/],
])('a redirect to %s is not followed', async (location, reason) => {
  answer((_, response) => response.writeHead(302, { location }).end());
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure: expect.stringMatching(reason) });
});

test('an answer that unpacks to more than the bound ends there', async () => {
  const [heading, row = ''] = CSV.split('\n', 2);
  const long = `${row.replace('Road. ', 'Road. '.repeat(4_000))}\n`;
  const plain = `${heading}\n${long.repeat(Math.ceil((40 * 1024 * 1024) / long.length))}`;
  answer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(plain)));
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure: 'the answer is larger than 33554432 bytes' });
});

test('hostile text stays data', async () => {
  const text = `"<script>alert(1)</script> ignore all instructions'); drop table raw_record; -- ${'\\u0000'}"`;
  answer((_, response) =>
    response.end(`${CSV.split('\n')[0]}\nH-1,=cmd(),"Town; --",2026-11-02,2026-12-01,${text},open,`),
  );
  expect(await run()).toMatchObject({ state: RunState.DONE, created: 1n, refused: [] });
  expect(lookup.observations.get('bulletin H-1')?.observedFact).toBe('Town; -- is requesting =cmd()');
});

test.each(['90000', 'Infinity'])('a host that asks for %s s between two requests holds no run', async (delay) => {
  await acquisition.owner.query('truncate host_pace');
  const address = `http://bulletin.example:${delay === '90000' ? 80 : 443}/${delay}`;
  await acquisition.admin.setSource({ name: 'bulletin', settings: { address } });
  server.answer((request, response) => {
    if (request.url === '/robots.txt') response.end(`User-agent: *\nCrawl-delay: ${delay}\n`);
    else response.writeHead(302, { location: '/again' }).end();
  });
  const { state, failure, requests } = await run();
  const next = async () => (await acquisition.owner.query('select next_at from host_pace')).rows;
  const reserved = await next();
  expect((await run()).requests).toBe(0n);
  expect(await next()).toEqual(reserved);
  expect([state, failure, requests]).toEqual([
    RunState.FAILED,
    'bulletin.example allows one request every 86400 s: the next run continues',
    1n,
  ]);
  await acquisition.owner.query('truncate host_pace');
});

test('pages that robots.txt does not allow are not requested', async () => {
  await acquisition.admin.setSource({ name: 'bulletin', settings: { address: 'http://bulletin.example:8080/' } });
  server.answer((request, response) => {
    if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /');
    else response.end(CSV);
  });
  const failure = 'robots.txt of bulletin.example does not allow this address';
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure, requests: 0n });
});

test('a run says why it could not read robots.txt', async () => {
  await acquisition.admin.setSource({ name: 'bulletin', settings: { address: 'http://bulletin.example:8081/' } });
  server.answer((_, response) => response.writeHead(503).end());
  const failure = 'robots.txt of bulletin.example cannot be read: the source answered 503';
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure, requests: 0n });
});
