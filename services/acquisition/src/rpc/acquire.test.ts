import type { MessageInitShape } from '@bufbuild/protobuf';
import { type AcquireRequestSchema, AcquireStop } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bulletin } from '../../test-support/bulletin-source.ts';
import { type FakeRecord, startFakeRecord } from '../../test-support/fake-record.ts';
import { type Handler, type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { type StartedAcquisition, startAcquisition } from '../../test-support/started-acquisition.ts';
import type { Source } from '../connector/source.ts';
import { samApi } from '../sources/sam-api/source.ts';

const KEY = 'a-secret-of-the-operator';

const searchable: Source = {
  ...bulletin,
  mode: 'on_demand',
  settings: [],
  politeness: { requestsPerSecond: 100, obeysRobots: false, maxRequestsPerRun: 5, maxRequestsPerDay: 40 },
  query: ({ query }) => [{ url: `https://bulletin.example/search?q=${encodeURIComponent(query)}` }],
};

let lookup: FakeRecord;
let server: LocalServer;
let sam: LocalServer;
let started: StartedAcquisition;
let nextOperation = 1n;

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer((_, response) => response.end());
  sam = await startLocalServer((_, response) => response.end());
  started = await startAcquisition({
    lookup,
    sources: [
      searchable,
      { ...samApi, politeness: { ...samApi.politeness, requestsPerSecond: 100, obeysRobots: false } },
    ],
    env: {
      CES_ACQUISITION_ON_DEMAND: 'true',
      CES_ACQUISITION_ALLOWED_ADDRESSES: `${server.address},${sam.address}`,
      CES_ACQUISITION_MIRRORS: `bulletin.example=${server.url},api.sam.gov=${sam.url}`,
      CES_SOURCE_SECRETS: `${samApi.name}.api_key=${KEY}`,
      CES_ACQUISITION_CALLS_PER_OPERATION: '3',
    },
  });
  await started.admin.setSource({ name: samApi.name, enabled: true });
});

beforeEach(async () => {
  server.requests.length = 0;
  sam.requests.length = 0;
  nextOperation += 1n;
  answerSam((_, response) => response.end(JSON.stringify({ totalRecords: 0, opportunitiesData: [] })));
  await started.owner.query('truncate source_question, source_budget');
});

afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await sam[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

function answerSam(handler: Handler): void {
  sam.answer(handler);
}

function tenders(...numbers: readonly string[]): string {
  const rows = numbers.map((number) => `${number},Works ${number},Town,2026-11-02,2026-12-01,Road.,open,`);
  return ['number,title,buyer,published,closes,text,status,contact', ...rows].join('\n');
}

async function acquire(changes: MessageInitShape<typeof AcquireRequestSchema> = {}) {
  const query = changes.query ?? `snow ${nextOperation}`;
  return await started.acquisition.acquire({
    operationId: nextOperation,
    fence: 1n,
    budgetMs: 10_000,
    terms: ['snow'],
    ...changes,
    query,
  });
}

test('a search asks every source that can answer, and new observations count as fresh', async () => {
  server.answer((_, response) => response.end(tenders('S-1', 'S-2')));
  answerSam((_, response) => response.end(JSON.stringify({ opportunitiesData: [opportunity('n1')] })));
  const answer = await acquire();
  expect(answer).toMatchObject({ stop: AcquireStop.EXHAUSTED, calls: 2, failures: [] });
  expect(answer.freshObservationIds).toHaveLength(3);
  expect(answer.tx).toBeGreaterThan(0n);
  expect(sam.requests[0]?.url).toContain(`api_key=${KEY}`);
  const { rows } = await started.owner.query(
    `select string_agg(raw_record::text, '') || (select string_agg(provider_call::text, '') from provider_call) as everything from raw_record`,
  );
  expect(String(rows[0]?.everything)).not.toContain(KEY);
});

test('an identical attempt pays nothing twice and brings the same', async () => {
  server.answer((_, response) => response.end(tenders('R-1')));
  const first = await acquire();
  const again = await acquire({ fence: 2n });
  expect(again).toMatchObject({ calls: 0, tx: first.tx, freshObservationIds: first.freshObservationIds });
  expect(server.requests).toHaveLength(1);
});

test('an answer that an attempt lost after it was paid is recorded by the next, and is still fresh', async () => {
  server.answer((_, response) => response.end(tenders('L-1')));
  const { freshObservationIds } = await acquire();
  await started.owner.query(
    `update provider_call set state = 'answered', answer = $2, tx = 0, fresh_observation_ids = '{}'
     where operation_id = $1 and source = 'bulletin'`,
    [nextOperation, (await import('node:zlib')).deflateRawSync(tenders('L-1', 'L-2'))],
  );
  const again = await acquire({ fence: 2n });
  expect(again.calls).toBe(0);
  expect(again.freshObservationIds).toEqual(expect.arrayContaining([...freshObservationIds]));
  expect(again.freshObservationIds).toHaveLength(2);
});

test('a call whose answer never came is not sent again', async () => {
  server.answer((_, response) => response.end(tenders('N-1')));
  await acquire();
  await started.owner.query(
    `update provider_call set state = 'sent', sent_at = now() - interval '3 minutes' where operation_id = $1 and source = 'bulletin'`,
    [nextOperation],
  );
  const again = await acquire({ fence: 2n });
  expect(again.failures).toEqual([
    expect.objectContaining({ source: 'bulletin', reason: 'an earlier attempt lost its answer' }),
  ]);
  expect(server.requests).toHaveLength(1);
});

test('an attempt with an older fence is refused', async () => {
  server.answer((_, response) => response.end(tenders('F-1')));
  await acquire({ fence: 5n });
  await expect(acquire({ fence: 4n })).rejects.toThrow(/later attempt/);
});

test('the same question within a quarter of an hour is asked once, however many ask at once', async () => {
  server.answer((_, response) => setTimeout(() => response.end(tenders('Q-1')), 50));
  const query = 'one question';
  const [one, other] = await Promise.all([acquire({ query }), acquire({ query, operationId: 9001n })]);
  const later = await acquire({ query, operationId: 9002n });
  expect(server.requests).toHaveLength(1);
  expect([one, other, later].map(({ freshObservationIds }) => freshObservationIds.length).sort()).toEqual([0, 0, 1]);
  expect(new Set([one.tx, other.tx, later.tx]).size).toBe(1);
});

test('a source that hangs costs the time of the search and nothing else', async () => {
  server.answer(() => undefined);
  answerSam((_, response) => response.end(JSON.stringify({ opportunitiesData: [opportunity('n2')] })));
  const answer = await acquire({ budgetMs: 700 });
  expect(answer).toMatchObject({ stop: AcquireStop.TIME, failures: [expect.objectContaining({ source: 'bulletin' })] });
  expect(answer.freshObservationIds).toHaveLength(1);
});

test.each<[string, Handler]>([
  ['refuses', (_, response) => response.writeHead(403).end()],
  ['drops the connection', (request) => request.socket.destroy()],
  [
    'redirects to a metadata address',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  ],
  ['sends more than it may', (_, response) => response.end(Buffer.alloc(9 * 1024 * 1024, 'x'))],
])('a source that %s is named as failed, and the others answer', async (_, handler) => {
  server.answer(handler);
  answerSam((__, response) => response.end(JSON.stringify({ opportunitiesData: [opportunity(`n${nextOperation}`)] })));
  const answer = await acquire({ budgetMs: 8000 });
  expect(answer.failures).toEqual([expect.objectContaining({ source: 'bulletin' })]);
  expect(answer.freshObservationIds).toHaveLength(1);
});

test('an answer in another form than the source has is a failure of the source', async () => {
  server.answer((_, response) => response.end(tenders('X-1')));
  answerSam((_, response) => response.end('{"opportunitiesData": [{"noticeId": "x"'));
  const answer = await acquire();
  expect(answer.failures).toEqual([
    { $typeName: expect.anything(), source: samApi.name, reason: 'its answer could not be read' },
  ]);
  expect(answer.freshObservationIds).toHaveLength(1);
});

test('budgets of the operation and of the day end the asking', async () => {
  server.answer((_, response) => response.end(tenders('D-1')));
  await started.owner.query(`insert into source_budget values ('bulletin', (now() at time zone 'utc')::date, 40)`);
  expect(await acquire()).toMatchObject({ stop: AcquireStop.BUDGET, failures: [] });
  expect(server.requests).toHaveLength(0);
});

test('nothing is asked of sources of other kinds, nor when no source is left', async () => {
  expect(await acquire({ kinds: [Kind.FUNDING_ROUND] })).toMatchObject({ stop: AcquireStop.DISABLED, calls: 0 });
  expect(server.requests).toHaveLength(0);
});

function opportunity(noticeId: string) {
  return {
    noticeId,
    title: `Lock gates ${noticeId}`,
    solicitationNumber: `SOL-${noticeId}`,
    fullParentPathName: 'DEPARTMENT OF WATERWAYS.OFFICE OF LOCKS',
    postedDate: '2026-11-10',
    type: 'Solicitation',
    baseType: 'Solicitation',
    responseDeadLine: '2026-12-20T17:00:00-05:00',
    naicsCode: '237990',
    active: 'Yes',
    pointOfContact: [{ fullName: 'Pat Example', email: 'pat@agency.example', phone: '202-555-0142' }],
    placeOfPerformance: { country: { code: 'USA', name: 'UNITED STATES' } },
    uiLink: `https://sam.gov/opp/${noticeId}/view`,
    description: 'https://api.sam.gov/prod/opportunities/v1/noticedesc?noticeid=x',
    award: null,
    resourceLinks: null,
  };
}
