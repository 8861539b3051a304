import { afterAll, beforeAll, expect, test } from 'vitest';
import { attributesOf, type Crawled, crawl, faultsOf } from '../test-support/crawl.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Built separately, with its own policy and tests. */
const EXPLORER = /^\/explore\b/;

let gateway: TestGateway;
let found: Crawled;
let pages: readonly (readonly [string, string])[];

beforeAll(async () => {
  gateway = await startGateway({});
  found = await crawl(gateway.url, '/');
  pages = [...found].flatMap(([path, { type, text }]) =>
    type.startsWith('text/html') && !EXPLORER.test(path) ? [[path, text] as const] : [],
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

test('every link from the first page on leads somewhere, to a heading that is there', () => {
  expect(pages.length).toBeGreaterThan(14);
  const broken = [...found]
    .filter(([, { status }]) => status !== 200)
    .map(([path, { from }]) => `${path} from ${from}`);
  const anchors = [...found.values()].flatMap(({ links }) => links.filter((link) => link.includes('#')));
  const missing = anchors.filter((link) => {
    const [path = '', anchor = ''] = link.split('#');
    return !attributesOf(found.get(path)?.text ?? '', 'id').includes(anchor);
  });
  expect({ broken, missing }).toEqual({ broken: [], missing: [] });
});

test('every page is well-formed, has a language, a title, a description and one first heading', () => {
  for (const [path, html] of pages) {
    expect({ path, faults: faultsOf(html) }).toEqual({ path, faults: [] });
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toMatch(/<title>[^<]+<\/title>\n<meta name="description" content="[^"]+">/);
    expect(html.match(/<h1\b/g)).toHaveLength(1);
  }
});

test('pages hold no script and no style of their own, and their policy allows none', async () => {
  for (const [path, html] of pages) {
    expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\bsrc=)|\son\w+=/);
    const policy = (await fetch(gateway.url + path, { headers: { accept: 'text/html' } })).headers.get(
      'content-security-policy',
    );
    expect({ path, policy }).toEqual({ path, policy: policyOf(path) });
  }
});

/** Scripts of the guides and the home page read the search index and sample keys. */
function policyOf(path: string): string {
  if (path === '/docs/reference') return withInlineStyles(STRICT);
  const reads = path === '/' || path.startsWith('/docs');
  return reads ? STRICT.replace("img-src 'self';", "img-src 'self'; connect-src 'self';") : STRICT;
}

/** The reference library needs inline styles and data: images. */
function withInlineStyles(policy: string): string {
  return policy
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("img-src 'self';", "img-src 'self' data:; font-src 'self'; connect-src 'self';");
}

test('files of pages are immutable under names that change with them; pages are revalidated', async () => {
  const assets = [...found.keys()].filter((path) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(8);
  for (const path of assets) {
    const { headers } = await fetch(gateway.url + path);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  for (const path of [...assets, '/docs', '/docs/units.md', '/openapi.json', '/llms.txt']) {
    const etag = (await fetch(gateway.url + path)).headers.get('etag') ?? '';
    const again = await fetch(gateway.url + path, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
  }
});

test('the script of the reference is sent compressed to clients that accept it', async () => {
  const script = [...found.keys()].find((path) => path.startsWith('/assets/reference/')) ?? '';
  const sizes = await Promise.all(
    ['gzip', 'identity'].map(async (encoding) => {
      const { headers } = await fetch(gateway.url + script, { headers: { 'accept-encoding': encoding } });
      return [headers.get('content-encoding'), Number(headers.get('content-length'))] as const;
    }),
  );
  const [[zipped, small] = [], [plain, large] = []] = sizes;
  expect([zipped, plain]).toEqual(['gzip', null]);
  expect(small).toBeLessThan(Number(large) / 3);
});
