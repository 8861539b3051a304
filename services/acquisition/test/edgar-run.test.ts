import { readFile } from 'node:fs/promises';
import { RunState, type SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sec8k } from '../src/sources/sec-8k/source.ts';
import { submission } from '../test-support/edgar-submission.ts';
import { type FakeRecord, startFakeRecord } from '../test-support/fake-record.ts';
import { type LocalServer, startLocalServer } from '../test-support/local-server.ts';
import { type StartedAcquisition, startAcquisition } from '../test-support/started-acquisition.ts';

const FEED = await readFile(new URL('../src/sources/sec-8k/documents/getcurrent.xml', import.meta.url), 'utf8');
const NEXT_PAGE = FEED.replace(/<entry>.*<\/entry>/s, '');
const REPORT =
  '<p>Item 5.02 Departure of Directors</p><p>On November 2, 2026, Weirworks Inc. appointed Ada M. Sluice as Chief Financial Officer.</p>';

let lookup: FakeRecord;
let server: LocalServer;
let acquisition: StartedAcquisition;

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer((request, response) => {
    const url = request.url ?? '';
    if (!request.headers['user-agent']?.includes('@')) response.writeHead(403).end();
    else if (url.includes('/0009999999-26-000017.txt')) response.end(submission(REPORT));
    else if (url.includes('getcurrent')) response.end(url.includes('start=0') ? FEED : NEXT_PAGE);
    else response.writeHead(404).end();
  });
  acquisition = await startAcquisition({
    lookup,
    sources: [sec8k],
    env: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: `www.sec.gov=${server.url}`,
    },
  });
});

afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

async function run(): Promise<SourceRun> {
  const { runId } = await acquisition.admin.runSource({ name: 'sec_8k' });
  const state = async () => (await acquisition.admin.getRun({ runId })).run?.state;
  await expect.poll(state, { timeout: 60_000, interval: 50 }).not.toBe(RunState.RUNNING);
  const { run: ended } = await acquisition.admin.getRun({ runId });
  if (!ended) throw new Error('the run is gone');
  return ended;
}

test('nothing is requested before the operator has set a contact address for the SEC', async () => {
  await expect(run()).rejects.toThrow('sec_8k cannot run without its settings contact.');
  expect(server.requests).toEqual([]);
});

test('the feed leads to each filing, which is read once; a missing filing fails without the others', async () => {
  await acquisition.admin.setSource({ name: 'sec_8k', settings: { contact: 'Ops ops@operator.example' } });
  const first = await run();
  expect(first).toMatchObject({ state: RunState.DONE, created: 1n });
  expect(first.refused.map(({ field }) => field)).toContain('document');
  expect(lookup.observations.get('sec_8k 0009999999-26-000017#5.02')?.observedFact).toContain('Ada M. Sluice');
  const filings = () => server.requests.filter(({ url }) => url?.endsWith('0009999999-26-000017.txt'));
  expect(await run()).toMatchObject({ state: RunState.DONE, created: 0n, newRecords: 0n });
  expect(filings()).toHaveLength(1);
});
