import { readFile } from 'node:fs/promises';
import { RunState, type SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newsrooms } from '../src/sources/newsrooms/source.ts';
import type { Source } from '../src/sources/source.ts';
import { type FakeRecord, startFakeRecord } from '../test-support/fake-record.ts';
import { type LocalServer, startLocalServer } from '../test-support/local-server.ts';
import { type StartedAcquisition, startAcquisition } from '../test-support/started-acquisition.ts';

const DOCUMENTS = '../src/sources/newsrooms/documents/';
const [RSS, ATOM, JSON_FEED, ARTICLE] = await Promise.all(
  ['feed.xml', 'feed.atom', 'feed.json', 'article.html'].map((name) =>
    readFile(new URL(`${DOCUMENTS}${name}`, import.meta.url), 'utf8'),
  ),
);
const FEEDS = [
  'https://weirworks.example/news/feed.xml|Weirworks Ltd.|CA|weirworks.example',
  'https://lockgate.example/newsroom/atom.xml|Lockgate Inc.|US|lockgate.example',
  'https://lockgate.example/newsroom/feed.json|Lockgate Inc.|US|lockgate.example',
].join(', ');

/** At no pace: nothing is waited for. */
const swift: Source = { ...newsrooms, politeness: { ...newsrooms.politeness, requestsPerSecond: 1_000 } };

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

let lookup: FakeRecord;
let server: LocalServer;
let acquisition: StartedAcquisition;
let pages: Record<string, Answer>;

beforeAll(async () => {
  lookup = await startFakeRecord();
  server = await startLocalServer((request, response) => {
    const page = pages[request.url ?? ''] ?? { status: 404 };
    const isKnown = page.headers?.etag !== undefined && request.headers['if-none-match'] === page.headers.etag;
    if (isKnown) response.writeHead(304).end();
    else response.writeHead(page.status ?? 200, page.headers).end(page.body);
  });
  const hosts = ['weirworks.example', 'www.weirworks.example', 'lockgate.example'];
  acquisition = await startAcquisition({
    lookup,
    sources: [swift],
    env: {
      CES_ACQUISITION_ALLOWED_ADDRESSES: server.address,
      CES_ACQUISITION_MIRRORS: hosts.map((host) => `${host}=${server.url}`).join(','),
    },
  });
});

beforeEach(async () => {
  pages = {
    '/news/feed.xml': { headers: { etag: '"1"', 'content-type': 'application/rss+xml; charset=utf-8' }, body: RSS },
    '/newsroom/atom.xml': { headers: { etag: '"2"', 'content-type': 'application/atom+xml' }, body: ATOM },
    '/newsroom/feed.json': { headers: { etag: '"3"', 'content-type': 'application/feed+json' }, body: JSON_FEED },
    '/news/ada-sluice': { headers: { 'content-type': 'text/html' }, body: ARTICLE },
  };
  server.requests.length = 0;
  await acquisition.owner.query('truncate fetched_document, host_pace');
});

afterAll(async () => {
  await acquisition[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await lookup[Symbol.asyncDispose]();
});

async function run(): Promise<SourceRun> {
  const { runId } = await acquisition.admin.runSource({ name: 'newsrooms' });
  const state = async () => (await acquisition.admin.getRun({ runId })).run?.state;
  await expect.poll(state, { timeout: 60_000, interval: 50 }).not.toBe(RunState.RUNNING);
  const { run: ended } = await acquisition.admin.getRun({ runId });
  if (!ended) throw new Error('the run is gone');
  return ended;
}

async function setFeeds(feeds: string): Promise<void> {
  await acquisition.admin.setSource({ name: 'newsrooms', settings: { feeds, rights: 'confirmed' } });
}

function asked(): (string | undefined)[] {
  return server.requests.map(({ url }) => url).filter((url) => url !== '/robots.txt');
}

const TIMEOUT = { timeout: 120_000 };

test('nothing is asked before the operator named feeds and confirmed the right to quote them', async () => {
  await expect(
    acquisition.admin.setSource({ name: 'newsrooms', settings: { feeds: 'acme.example/rss' } }),
  ).rejects.toThrow(/Feed 1 must be address\|name/);
  await acquisition.admin.setSource({ name: 'newsrooms', enabled: true });
  await expect(run()).rejects.toThrow('newsrooms cannot run without its settings feeds, rights.');
  expect(server.requests).toEqual([]);
});

test(
  'feeds in three formats and the articles behind them are events once, and nothing new the next time',
  TIMEOUT,
  async () => {
    await setFeeds(FEEDS);
    expect(await run()).toMatchObject({ state: RunState.DONE, created: 7n, documents: 4n });
    expect([...lookup.observations.keys()].sort()).toEqual([
      'newsrooms lockgate.example/lockgate-8',
      'newsrooms lockgate.example/lockgate-9',
      'newsrooms lockgate.example/urn:lockgate:news:6',
      'newsrooms lockgate.example/urn:lockgate:news:7',
      'newsrooms weirworks.example/https://weirworks.example/news/ada-sluice',
      'newsrooms weirworks.example/weirworks-101',
      'newsrooms weirworks.example/weirworks-96',
    ]);
    expect(await run()).toMatchObject({ state: RunState.DONE, newRecords: 0n, created: 0n, documents: 0n });
  },
);

test('an item that changed is read again and amends its event', TIMEOUT, async () => {
  await setFeeds(FEEDS);
  await run();
  pages['/news/feed.xml'] = {
    headers: { etag: '"9"' },
    body: RSS?.replace('Appoints Ada Sluice as', 'Names Ada Sluice'),
  };
  pages['/news/ada-sluice'] = { body: ARTICLE?.replace('effective at once', 'effective tomorrow') };
  expect(await run()).toMatchObject({ state: RunState.DONE, created: 0n, amended: 1n });
  const key = 'newsrooms weirworks.example/https://weirworks.example/news/ada-sluice';
  expect(lookup.observations.get(key)?.observedFact).toContain('Weirworks Names Ada Sluice Chief Executive Officer');
});

test('a feed that leads elsewhere, is gone or may not be asked costs itself alone', TIMEOUT, async () => {
  await setFeeds(FEEDS);
  pages['/news/feed.xml'] = { status: 302, headers: { location: 'https://elsewhere.example/feed.xml' } };
  pages['/newsroom/atom.xml'] = { status: 410 };
  const ended = await run();
  expect(ended).toMatchObject({ state: RunState.DONE, documents: 1n });
  expect(ended.refused.map(({ field, reason }) => `${field} ${reason}`).sort()).toEqual([
    'document elsewhere.example is none of the hosts of the source',
    'document the source answered 410',
  ]);
});

test('a run of which no feed answers has failed', TIMEOUT, async () => {
  await setFeeds('https://weirworks.example/news/gone.xml|Weirworks Ltd.|CA|weirworks.example');
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure: 'the source answered 404' });
});

test('what robots.txt does not allow is not asked for', TIMEOUT, async () => {
  pages['/robots.txt'] = { body: 'User-agent: *\nDisallow: /' };
  await setFeeds('https://www.weirworks.example/news/feed.xml|Weirworks Ltd.|CA|weirworks.example');
  const failure = 'robots.txt of www.weirworks.example does not allow this address';
  expect(await run()).toMatchObject({ state: RunState.FAILED, failure });
  expect(asked()).toEqual([]);
});

test(
  'a feed is tried before it is set, at the hosts that the try names alone, and nothing is kept of it',
  TIMEOUT,
  async () => {
    const before = lookup.observations.size;
    const settings = { feeds: 'https://lockgate.example/newsroom/feed.json|Lockgate Inc.|US|lockgate.example' };
    const { pages: tried } = await acquisition.admin.trySource({ name: 'newsrooms', settings, pages: 1 });
    expect(tried[0]?.records.flatMap(({ observations }) => observations)).toMatchObject([
      { company: 'Lockgate Inc.', country: 'US' },
      { company: 'Lockgate Inc.', country: 'US' },
    ]);
    const mistake = { name: 'newsrooms', settings: { feeds: 'lockgate.example/rss' } };
    await expect(acquisition.admin.trySource(mistake)).rejects.toThrow(/Feed 1 must be address/);
    expect(lookup.observations.size).toBe(before);
  },
);

test('every excerpt that was recorded is found again in what is kept', TIMEOUT, async () => {
  const verified = await acquisition.admin.verifyEvidence({});
  expect(verified).toMatchObject({ broken: [] });
  expect(verified.checked).toBeGreaterThanOrEqual(6);
});
