import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../src/schema/error.ts';
import { FACTS } from '../src/schema/facts.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({}, { config: { publicUrl: 'https://evidence.example' } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const read = async (path: string) => await (await fetch(gateway.url + path)).text();

test('the guide to errors has every code with its status, and no other', async () => {
  const rows = [...(await read('/docs/errors.md')).matchAll(/^\| (\d{3}) `(\w+)` \| .+ \|$/gm)];
  const written = rows.map(([, status, code]) => [code, Number(status)]);
  const known = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
  expect(written.toSorted()).toEqual(known.toSorted());
});

test('each guide is a page for people and Markdown for programs, whose links lead to Markdown', async () => {
  const list = [...(await read('/llms.txt')).matchAll(/\(https:\/\/evidence\.example(\/docs\/[a-z-]+\.md)\)/g)];
  expect(list.length).toBeGreaterThan(10);
  for (const [, path = ''] of list) {
    const response = await fetch(gateway.url + path);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const [, title = ''] = /^# (.+)/.exec(await response.text()) ?? [];
    const page = await (await fetch(gateway.url + path.replace('.md', ''))).text();
    expect(page).toContain(`${title}</h1>`);
    expect(page).not.toMatch(/href="[^"]*\.md#/);
  }
});

test('no card of the index has a link within its link, which would tear it apart', async () => {
  const cards = [...(await read('/docs')).matchAll(/<li>(<a [\s\S]+?)<\/li>/g)].map(([, card = '']) => card);
  expect(cards.length).toBeGreaterThan(10);
  for (const card of cards) expect(card.match(/<a /g)).toHaveLength(1);
  expect(await read('/docs/contract')).toMatch(/<meta name="description" content="[^[\]`]+">/);
});

test('llms.txt begins with a title, a summary and the facts that hold for every result', async () => {
  const text = await read('/llms.txt');
  expect(text).toMatch(/^# Company Evidence Search\n\n> .+\n\n/);
  for (const fact of FACTS) expect(text).toContain(`- ${fact}\n`);
  expect(await read('/llms-full.txt')).toContain('# What you can rely on');
});

test('the contract is served as it is in the repository', async () => {
  const contract = readFileSync(new URL('../docs/contract.md', import.meta.url), 'utf8');
  expect(await read('/docs/contract.md')).toBe(contract);
});

test('Markdown stays text: what looks like HTML in a guide is shown, not obeyed', async () => {
  expect(await read('/docs/contract')).not.toContain('<ACCESS_TOKEN>');
  const { renderMarkdown } = await import('../src/rest/pages/guides/markdown.ts');
  expect(renderMarkdown('a <b onclick="x()">b</b> [c](javascript:x())')).not.toMatch(/<b |href="javascript/);
});
