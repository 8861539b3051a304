import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillIn, findSections, type Section } from '../assets/docs.js';
import { renderMarkdown } from '../src/rest/pages/guides/markdown.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

const VALUES = { address: 'http://127.0.0.1:8080', key: 'ces_live_sample' };

let gateway: TestGateway;
let sections: readonly Section[];

beforeAll(async () => {
  gateway = await startGateway({}, { config: { sampleKeysFile: '/nonexistent' } });
  sections = (await (await fetch(`${gateway.url}/docs/search.json`)).json()) as readonly Section[];
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const read = async (path: string) => await (await fetch(gateway.url + path)).text();
const urlsFor = (query: string) => findSections(sections, query).map(({ url }) => url);

test('the guides are in three groups', async () => {
  const titles = [...(await read('/docs')).matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title);
  expect(titles).toEqual(['Get started', 'Guides', 'Reference']);
  for (const title of titles) expect(await read('/docs/units')).toContain(`<p class="group">${title}</p>`);
});

test('every example in several languages is one group of figures, curl first', async () => {
  const html = await read('/docs/first-search');
  const groups = [...html.matchAll(/<div class="examples">([\s\S]*?)<\/div>/g)].map(([, group = '']) => group);
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups)
    expect([...group.matchAll(/data-language="(\w+)"><figcaption>(\w+)</g)].map(([, ...names]) => names)).toEqual([
      ['sh', 'curl'],
      ['ts', 'TypeScript'],
      ['python', 'Python'],
    ]);
});

test('a separate block is in no group, and adjacent groups stay apart', () => {
  const html = renderMarkdown(
    '```sh run\na\n```\n\n```sh run\nb\n```\n\n```ts tab\nc\n```\n\n```sh run\nd\n```\n\n```ts tab\ne\n```\n',
  );
  const shape = html.replace(
    /<figure class="code"( data-language="\w+")?>.*?<code>(\w)\n<\/code>.*?<\/figure>/gs,
    '$2',
  );
  expect(shape.replaceAll('\n', '')).toBe('a<div class="examples">bc</div><div class="examples">de</div>');
});

test('the notations of each language are filled in, in every example of every guide', async () => {
  expect(fillIn('curl "$base_url/api" -H "Bearer $api_key"', VALUES)).toBe(
    'curl "http://127.0.0.1:8080/api" -H "Bearer ces_live_sample"',
  );
  const examples = [
    'first-search',
    'units',
    'pages',
    'background',
    'evidence',
    'moving',
    'typescript',
    'mcp',
    'errors',
  ];
  for (const name of examples) {
    const markdown = await read(`/docs/${name}.md`);
    const code = [...markdown.matchAll(/^```\w+ (?:run|tab)$([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    expect(code.length).toBeGreaterThan(0);
    const filled = fillIn(code.join('\n'), VALUES);
    expect(filled).toContain(VALUES.address);
    expect(filled).not.toMatch(/base_url["'\]]|\$base_url|process\.env\.|os\.environ|\$api_key/);
  }
});

test('without a key its notation stays', () => {
  expect(fillIn('$base_url $api_key', { address: VALUES.address })).toBe('http://127.0.0.1:8080 $api_key');
});

test.each(['/', '/docs/units'])('%s asks for sample keys only where a stack has them', async (path) => {
  await using other = await startGateway({});
  const [here, there] = await Promise.all(
    [gateway, other].map(({ url }) => fetch(url + path, { headers: { accept: 'text/html' } })),
  );
  expect(here?.headers.get('content-security-policy')).toContain("connect-src 'self'");
  expect(await here?.text()).toContain('data-sample-keys');
  const html = await there?.text();
  expect(html).toContain('class="filled-in muted"');
  expect(html).not.toContain('data-sample-keys');
});

test('search finds a section by beginnings of words in any order, and a heading before a text', () => {
  expect(urlsFor('withdrawn evidence')[0]).toBe('/docs/evidence#withdrawn-evidence');
  expect(urlsFor('retr key')).toContain('/docs/keys-and-retries');
  expect(urlsFor('TypeScript')[0]).toBe('/docs/typescript');
  expect(urlsFor('idempotency_conflict')).toContain('/docs/errors');
  expect(urlsFor('zzzz')).toEqual([]);
  expect(urlsFor(' .*( ')).toEqual([]);
});

test('every section leads to a heading of its page, and its text has no marks', async () => {
  for (const { url, text, heading } of sections) {
    const [path = '', anchor] = url.split('#');
    if (anchor !== undefined) expect(await read(path)).toContain(`id="${anchor}"`);
    expect(`${heading} ${text}`).not.toMatch(/[`|]|\]\(|---/);
  }
});

test('a long text is shown around the first word that was found', () => {
  const [found] = findSections(
    [{ url: '/a', guide: 'A', heading: 'A', text: `${'x '.repeat(200)}needle ${'y '.repeat(200)}` }],
    'need',
  );
  expect(found?.snippet).toMatch(/^… (x )+needle (y ?)+ …$/);
  expect(found?.snippet.length).toBeLessThan(150);
});
