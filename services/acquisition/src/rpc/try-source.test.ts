import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FakeRecord, startFakeRecord } from '../../test-support/fake-record.ts';
import { type Handler, type LocalServer, startLocalServer } from '../../test-support/local-server.ts';
import { type StartedAcquisition, startAcquisition } from '../../test-support/started-acquisition.ts';
import { lever } from '../sources/lever/source.ts';
import { samApi } from '../sources/sam-api/source.ts';
import { smartrecruiters } from '../sources/smartrecruiters/source.ts';

const documentOf = (path: string) => readFile(new URL(`../sources/${path}`, import.meta.url), 'utf8');
const LIST = await documentOf('smartrecruiters/documents/postings.json');
const POSTING = await documentOf('smartrecruiters/documents/posting.json');
const NOTICES = await documentOf('sam-api/documents/opportunities.json');
const KEY = 'sam-key-0123456789';

const boards: Handler = (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(request.url?.includes('postings?') ? LIST : POSTING);
};

let lookup: FakeRecord;
let server: LocalServer;
let acquisition: StartedAcquisition;

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer(boards);
  const hosts = ['api.smartrecruiters.com', 'api.sam.gov', 'api.lever.co'];
  acquisition = await startAcquisition({
    lookup,
    sources: [smartrecruiters, samApi, { ...lever, verified: false }],
    env: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: hosts.map((host) => `${host}=${server.url}`).join(','),
      CES_SOURCE_SECRETS: `sam_api.api_key=${KEY}`,
    },
  });
});
beforeEach(() => {
  server.answer(boards);
  server.requests.length = 0;
});
afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

const settings = { companies: 'Weirworks2' };

async function keptRows(): Promise<unknown> {
  const { rows } = await acquisition.owner.query(
    `select (select count(*) from raw_record)::int as raw, (select count(*) from fetched_document)::int as fetched,
            (select count(*) from source_run)::int as runs`,
  );
  return rows;
}

test('a try says what a page would record, and keeps nothing but its audit', async () => {
  const { pages } = await acquisition.admin.trySource({ name: 'smartrecruiters', settings });
  expect(pages).toMatchObject([
    {
      uri: 'https://api.smartrecruiters.com/v1/companies/Weirworks2/postings?limit=100&offset=0',
      contentType: 'application/json',
      followUps: 3n,
      failure: '',
      exchange: new Uint8Array(),
    },
  ]);
  expect(pages[0]?.records.flatMap(({ observations }) => observations)).toMatchObject([
    { kind: 'job_posting', company: 'Weirworks', country: 'CA', excerpts: [expect.stringContaining('Ateliers')] },
  ]);
  expect(pages[0]?.records.flatMap(({ refused }) => refused)).toEqual([
    'country is neither Canada nor the United States',
    'releasedDate is no date',
  ]);
  expect(pages[0]?.records.flatMap(({ leftOut }) => leftOut)).toEqual(['is not open to everybody']);
  expect(await keptRows()).toEqual([{ raw: 0, fetched: 0, runs: 0 }]);
  expect(lookup.observations.size).toBe(0);
  const { rows } = await acquisition.owner.query("select details from audit where action = 'try_source'");
  expect(rows).toEqual([{ details: { source: 'smartrecruiters', pages: 1, settings } }]);
});

test('follow-up documents are fetched up to the page limit, and returned as received', async () => {
  const request = { name: 'smartrecruiters', settings, pages: 2, exchanges: true };
  const { pages } = await acquisition.admin.trySource(request);
  expect(server.requests).toHaveLength(2);
  expect(pages.map(({ exchange }) => Buffer.from(exchange).toString())).toEqual([LIST, POSTING]);
});

test('a source that is off may be tried, one that is disabled may not', async () => {
  server.answer((_, response) => response.end('[]'));
  const name = 'lever';
  const sites = { sites: 'weirworks' };
  expect((await acquisition.admin.trySource({ name, settings: sites })).pages).toMatchObject([{ records: [] }]);
  await acquisition.admin.setSource({ name, enabled: false, reason: 'asked to stop' });
  await expect(acquisition.admin.trySource({ name, settings: sites })).rejects.toThrow('is disabled (asked to stop)');
});

test('a source that answers searches is asked for words; its secret is in no address and no exchange', async () => {
  server.answer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...JSON.parse(NOTICES), selfLink: request.url }));
  });
  await expect(acquisition.admin.trySource({ name: 'sam_api' })).rejects.toThrow('say in query');
  const { pages } = await acquisition.admin.trySource({ name: 'sam_api', query: 'snow removal', exchanges: true });
  expect(server.requests[0]?.url).toContain(KEY);
  expect(pages[0]?.records.length).toBeGreaterThan(0);
  const shown = pages.map((page) => `${page.uri} ${Buffer.from(page.exchange)}`).join('\n');
  expect(shown).toContain('[secret]');
  expect(shown).not.toContain(KEY);
});

test('mistakes of a source are reported with its page', async () => {
  server.answer((_, response) => response.writeHead(404).end());
  const gone = await acquisition.admin.trySource({ name: 'smartrecruiters', settings });
  expect(gone.pages).toMatchObject([{ failure: 'the source answered 404', records: [] }]);
  server.answer((_, response) => response.end('<html>'));
  const other = await acquisition.admin.trySource({ name: 'smartrecruiters', settings });
  expect(other.pages).toMatchObject([{ refused: [{ field: 'document', reason: 'is no JSON object' }] }]);
});

test.each([
  [{ pages: 6 }, 'pages must be'],
  [{ records: 201 }, 'records must be'],
  [{ query: 'x'.repeat(501) }, 'query must have'],
  [{ settings: { other: 'x' } }, 'has no setting of that name'],
  [{ settings: {} }, 'without its settings companies'],
])('a try of %j is refused', async (change, sentence) => {
  const request = { name: 'smartrecruiters', settings, ...change };
  await expect(acquisition.admin.trySource(request)).rejects.toThrow(sentence);
  expect(server.requests).toEqual([]);
});
