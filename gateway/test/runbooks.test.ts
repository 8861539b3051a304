import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Crawled, crawl, faultsOf } from '../test-support/crawl.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../deploy/runbooks');

let gateway: TestGateway;
let found: Crawled;

beforeAll(async () => {
  gateway = await startGateway({});
  found = await crawl(gateway.url, '/runbooks');
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

test('the index leads to the page of every runbook, and no page leads nowhere', () => {
  const runbooks = readdirSync(FOLDER).filter((file) => file !== 'README.md');
  for (const file of runbooks) expect(found.has(`/runbooks/${file.replace(/\.md$/, '')}`), file).toBe(true);
  const broken = [...found].filter(([, { status }]) => status !== 200).map(([url]) => url);
  expect(broken).toEqual([]);
});

test('a runbook is a well-formed page with its sections', () => {
  const { text = '' } = found.get('/runbooks/saturation') ?? {};
  expect(faultsOf(text)).toEqual([]);
  expect(text).toContain('<h2 id="diagnose">Diagnose</h2>');
});

test('no page for subscribers leads to a runbook', async () => {
  const pages = await crawl(gateway.url, '/');
  expect([...pages.keys()].filter((url) => url.startsWith('/runbooks'))).toEqual([]);
});
