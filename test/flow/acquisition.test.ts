import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, assert, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

const KEY = 'sam-key-of-this-test';

let stack: TestStack;
let asked: string[] = [];
let answer: (response: http.ServerResponse) => void;
const sam = http.createServer((request, response) => {
  asked.push(request.url ?? '');
  answer(response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => sam.listen(0, '127.0.0.1', resolve));
  const { port } = sam.address() as AddressInfo;
  stack = await startTestStack({
    env: { CES_ACQUISITION_ON_DEMAND: 'true', CES_OPERATIONS_ACQUIRE_WAITED_MS: '8000' },
    acquisition: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: `127.0.0.1:${port}`,
      CES_ACQUISITION_MIRRORS: `api.sam.gov=http://127.0.0.1:${port}`,
      CES_SOURCE_SECRETS: `sam_api.api_key=${KEY}`,
    },
  });
  await stack.acquisitionAdmin.setSource({ name: 'sam_api', enabled: true });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  sam.closeAllConnections();
  sam.close();
});

function opportunity(noticeId: string, title: string) {
  return {
    noticeId,
    title,
    solicitationNumber: `SOL-${noticeId}`,
    fullParentPathName: `INLAND WATERWAYS AGENCY.OFFICE ${noticeId.toUpperCase()}`,
    postedDate: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    type: 'Solicitation',
    baseType: 'Solicitation',
    responseDeadLine: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    naicsCode: '237990',
    active: 'Yes',
    pointOfContact: [{ fullName: 'Pat Example', email: 'pat@agency.example', phone: '202-555-0142' }],
    placeOfPerformance: { country: { code: 'USA', name: 'UNITED STATES' } },
    uiLink: `https://sam.gov/opp/${noticeId}/view`,
    description: 'https://api.sam.gov/prod/opportunities/v1/noticedesc?noticeid=x',
  };
}

function publish(...opportunities: readonly ReturnType<typeof opportunity>[]): void {
  answer = (response) =>
    response.end(JSON.stringify({ totalRecords: opportunities.length, opportunitiesData: opportunities }));
}

test('a search that is short brings fresh evidence, is charged for it once, and no look-up asks a source', async () => {
  publish(opportunity('n1', 'Lock gates and sluice valves'), opportunity('n2', 'Lock gates, spare'));
  const subscriber = await createSubscriber(stack);
  const key = randomUUID();
  const first = await subscriber.search({ query: 'lock gates', limit: 5 }, key);
  expect(first.status).toBe(200);
  expect(first.body.usage).toMatchObject({ request_units: 1, fresh_evidence_units: 2 });
  expect(first.body.coverage).toMatchObject({ stop_reason: 'sources_exhausted' });
  expect(first.body.coverage.limitations).not.toContain('acquisition_disabled');
  expect(JSON.stringify(first.body)).not.toMatch(/agency\.example|555-0142/);
  expect(asked).toHaveLength(1);

  const replay = await subscriber.search({ query: 'lock gates', limit: 5 }, key);
  expect(replay.body).toEqual(first.body);
  const ids = first.body.companies.map((company: { id: number }) => company.id);
  await subscriber.lookUp({ ids });
  await subscriber.request('GET', `/api/companies/${ids[0]}`, { key: randomUUID() });
  const [observation] = first.body.companies[0]?.observations ?? [];
  assert(observation);
  await subscriber.request('GET', `/api/observations/${observation.id}`);
  expect(asked).toHaveLength(1);
});

test('the same question soon after asks no source and is not fresh again', async () => {
  publish(opportunity('n3', 'Canal dredging'));
  const subscriber = await createSubscriber(stack);
  const first = await subscriber.search({ query: 'canal dredging', limit: 5 });
  const later = await subscriber.search({ query: 'canal dredging', limit: 5 });
  expect(asked).toHaveLength(1);
  expect([first, later].map((one) => one.body.usage.fresh_evidence_units)).toEqual([1, 0]);
  expect(later.body.companies).toEqual(first.body.companies);
});

test.each<[string, (response: http.ServerResponse) => void, string]>([
  ['hangs', () => undefined, 'time_budget_reached'],
  ['answers something else', (response) => response.end('<html>maintenance</html>'), 'source_unavailable'],
  ['is closed', (response) => response.writeHead(403).end(), 'source_unavailable'],
])('a source that %s leaves the search with what is known, and says so', async (_, handler, stopReason) => {
  answer = handler;
  const subscriber = await createSubscriber(stack);
  const { status, body } = await subscriber.search({ query: `weir repair ${randomUUID().slice(0, 8)}`, limit: 5 });
  expect(status).toBe(200);
  expect(body.coverage.stop_reason).toBe(stopReason);
  expect(body.coverage.limitations).toContain('source_unavailable');
  expect(body.usage).toMatchObject({ fresh_evidence_units: 0 });
});

test('after one changed byte of a raw record its quotations are no longer delivered', async () => {
  publish(opportunity('n4', 'Tide mill restoration'));
  const subscriber = await createSubscriber(stack);
  const { body } = await subscriber.search({ query: 'tide mill restoration', limit: 5 });
  const [observation] = body.companies[0]?.observations ?? [];
  assert(observation);
  expect((await stack.acquisitionAdmin.verifyEvidence({})).broken).toEqual([]);
  const owner = new pg.Client({ connectionString: stack.acquisitionDatabase?.ownerUrl });
  await owner.connect();
  await owner.query(
    `update raw_record set content = set_byte(content, 30, get_byte(content, 30) # 1) where source_key like '%n4%'`,
  );
  await owner.end();
  const { broken } = await stack.acquisitionAdmin.verifyEvidence({});
  expect(broken).toEqual([
    expect.objectContaining({ observationId: BigInt(observation.id), problem: 'its raw record has changed' }),
  ]);
  expect((await subscriber.request('GET', `/api/observations/${observation.id}`)).status).toBe(404);
});
