import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../src/schema/error.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly description: string; readonly content: Record<string, Media> }>
  >;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly headers: object };
}

let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  gateway = await startGateway({});
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('the document is OpenAPI 3.1, version 1.0.0, and names every route of the interface', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe('1.0.0');
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.toSorted()).toEqual([
    'GET /api/companies',
    'GET /api/companies/{id}',
    'GET /api/observations',
    'GET /api/observations/{id}',
    'GET /api/usage',
    'GET /api/usage/statement',
    'GET /api/usages',
    'GET /api/usages/{id}',
    'POST /api/companies/search',
    'POST /api/diagnostics',
    'POST /api/observations/lookup',
    'POST /api/observations/search',
    'POST /api/usages',
  ]);
});

test('it names what holds for every result', () => {
  for (const sentence of [
    'A matching company is not a guarantee of buying intent.',
    'An empty or suppressed result is not proof of absence.',
    'Similarity is not proof of buying intent.',
    'is not evidence of current buying intent.',
  ])
    expect(document.info.description).toContain(sentence);
});

test('every error code is described, and every status of a route lists its codes', () => {
  for (const code of Object.keys(ERROR_CODES)) expect(document.info.description).toContain(`\`${code}\``);
  for (const { responses } of operations()) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400', '401', '402', '429', '500', '503']));
    for (const [status, { content }] of Object.entries(responses))
      for (const code of Object.keys(content['application/json']?.examples ?? {}))
        if (status !== '400') expect(ERROR_CODES[code as keyof typeof ERROR_CODES].status).toBe(Number(status));
  }
});

test('deprecated operations are marked and describe their headers on every status', () => {
  const deprecated = operations().filter((operation) => operation.deprecated);
  expect(deprecated.map(({ operationId }) => operationId).toSorted()).toEqual([
    'getObservation',
    'queueObservationSearch',
    'searchObservations',
  ]);
  for (const { responses } of deprecated)
    for (const { headers } of Object.values(responses)) expect(headers).toMatchObject({ Deprecation: {}, Link: {} });
});

test('every object of an answer is closed', () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    if ('properties' in schema) expect({ name, ...schema }).toMatchObject({ additionalProperties: false });
});

test('every example is what its schema says', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  ajv.addSchema(document, 'document');
  let examples = 0;
  for (const { operationId, requestBody, responses } of operations())
    for (const media of [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    )) {
      const matches = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', '"document#/')));
      for (const value of [media.example, ...Object.values(media.examples ?? {}).map((each) => each.value)]) {
        if (value === undefined) continue;
        examples += 1;
        expect({ operationId, value, errors: matches(value) ? [] : matches.errors }).toMatchObject({ errors: [] });
      }
    }
  expect(examples).toBeGreaterThan(100);
});

test('every reference leads somewhere and every component is used', () => {
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    ),
  );
  const components = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  expect(components.toSorted()).toEqual([...references].toSorted());
});

test('/ says what this is and where to go, to programs and to people', async () => {
  const json = await (await fetch(gateway.url)).json();
  expect(json).toMatchObject({ documentation: '/docs', openapi: '/openapi.json', sources: '/sources' });
  const page = await fetch(gateway.url, { headers: { accept: 'text/html,*/*' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('href="/docs"');
});

test('/sources names licence and attribution of every source', async () => {
  const { sources } = (await (await fetch(`${gateway.url}/sources`)).json()) as { sources: object[] };
  expect(sources.length).toBeGreaterThan(5);
  for (const source of sources)
    expect(source).toMatchObject({ licence: expect.any(String), attribution: expect.any(String) });
  const page = await fetch(`${gateway.url}/sources`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('Open Government Licence – Canada');
});

test.each([
  ...['/', '/sources', '/openapi.json', '/llms.txt', '/llms-full.txt', '/docs', '/docs/', '/docs/units'],
  ...[
    '/docs/units.md',
    '/docs/reference',
    '/docs/nothing',
    '/assets/nothing.css',
    '/assets/reference/nothing',
    '/nothing',
  ],
])('HEAD %s is answered like GET, without the body', async (path) => {
  const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(gateway.url + path, { method })));
  expect(head?.status).toBe(get?.status);
  expect(lastingHeaders(head)).toEqual(lastingHeaders(get));
  expect((await get?.arrayBuffer())?.byteLength).toBeGreaterThan(0);
  expect((await head?.arrayBuffer())?.byteLength).toBe(0);
});

test('an address that leads nowhere is a page with the way on for a person, and the Error body for a program', async () => {
  const answer = async (path: string, init?: RequestInit) => {
    const response = await fetch(gateway.url + path, init);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
      response,
    };
  };
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
  for (const path of ['/nothing', '/docs/nothing', '/doc?x=<b>']) {
    const page = await answer(path, browser);
    expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('href="/explore"');
    expect(page.text).not.toContain('x=<b>');
    expect(page.response.headers.get('vary')).toBe('Accept');
    expect(page.response.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(JSON.parse((await answer(path)).text)).toMatchObject({ error: { code: 'not_found' } });
  }
  const others: readonly [string, RequestInit][] = [
    ['/api/nothing', browser],
    ['/mcp/nothing', browser],
    ['/docs', { ...browser, method: 'POST' }],
  ];
  for (const [path, init] of others) expect((await answer(path, init)).type).toBe('application/json; charset=utf-8');
});

function lastingHeaders(response: Response | undefined): Record<string, string> {
  const headers = new Headers(response?.headers);
  for (const name of ['date', 'x-request-id', 'traceparent', 'connection', 'keep-alive']) headers.delete(name);
  return Object.fromEntries(headers);
}
