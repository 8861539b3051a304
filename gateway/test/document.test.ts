import { CallerLimits } from '@ces/chassis/limits/caller-limits';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { createLogger } from '@ces/chassis/telemetry/log';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { createPeers } from '../src/peers.ts';
import { apiRoutes } from '../src/rest/routes.ts';
import { ERROR_CODES, type ErrorCode } from '../src/schema/error.ts';
import { type CallInit, startGateway, type TestGateway, testConfig } from '../test-support/gateway.ts';
import { AT, answerOf, type Outcome, observation, searched, statement } from '../test-support/peers.ts';

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly 'application/json': { readonly examples?: Readonly<Record<string, unknown>> } };
}
interface Operation {
  readonly requestBody?: object;
  readonly deprecated?: boolean;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly headers: Readonly<Record<string, unknown>> };
}

let next: () => Outcome = () => searched;
let gateway: TestGateway;
let document: Document;

beforeAll(async () => {
  const submit = () => ({ answer: answerOf(next()) });
  const page =
    <T>(answer: T) =>
    () => {
      next();
      return answer;
    };
  const operations = {
    submitCompanySearch: submit,
    submitObservationSearch: submit,
    submitCompanyLookup: submit,
    submitObservationLookup: submit,
    submitDiagnostic: submit,
    getOperation: submit,
    listUsages: page({ asOf: AT }),
    getUsageStatement: page(statement),
  };
  const getAllowance = () => ({ allowance: { windowSeconds: 18_000n, windowLimit: 60n, weeklyLimit: 500n } });
  const getObservation = () => {
    next();
    return { observation };
  };
  gateway = await startGateway(
    { operations, ledger: { getAllowance }, lookup: { getObservation } },
    {
      config: {
        pollsPerSecond: 1000,
        accountPagesPerSecond: 1000,
        accountObservationsPerHour: 6_000,
        credentialBurst: 10_000,
      },
    },
  );
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
});
afterAll(() => gateway[Symbol.asyncDispose]());

const operations = (): [method: string, path: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      method.toUpperCase(),
      path,
      operation,
    ]),
  );

function call(method: string, path: string, init: CallInit = {}): Promise<Response> {
  const queries: Readonly<Record<string, string>> = {
    '/api/companies': '?ids[]=1',
    '/api/observations': '?domains[]=a.example&since=2026-01-01T00:00:00Z',
  };
  const bodies: Readonly<Record<string, object>> = {
    '/api/observations/lookup': { domains: ['a.example'], since: '2026-01-01T00:00:00Z' },
    '/api/diagnostics': {},
  };
  const json = bodies[path] ?? { query: 'bids' };
  const target = `${path.replace('{id}', '7')}${method === 'GET' ? (queries[path] ?? '') : ''}`;
  return gateway.call(target, { method, requestKey: 'k', ...(method === 'POST' && { json }), ...init });
}

async function expectDescribed(method: string, path: string, response: Response): Promise<void> {
  const shown = `${method} ${path} ${response.status}`;
  const answer = document.paths[path]?.[method.toLowerCase()]?.responses[response.status];
  expect(answer, shown).toBeDefined();
  const headers = Object.keys(document.components.headers).filter((name) => response.headers.has(name));
  expect(Object.keys(answer?.headers ?? {}), shown).toEqual(expect.arrayContaining(headers));
  const { error } = (await response.json()) as { error?: { code: string } };
  if (error) expect(Object.keys(answer?.content['application/json'].examples ?? {}), shown).toContain(error.code);
}

test('the document and the server have the same routes, apart from the pages and /mcp', async () => {
  const config = testConfig('http://127.0.0.1:1');
  const served: string[] = [];
  const add = ({ method, url }: RouteOptions) => {
    served.push(...[method].flat().map((each) => `${each} ${url}`));
  };
  const [peers, logger] = [createPeers(config), createLogger('test', 'silent')];
  const app = createApp({
    config,
    logger,
    authenticate: Object.assign(() => Promise.reject(new Error('no call is made')), { knows: () => false }),
    callers: new CallerLimits(new SharedLimits({ take: peers.callLimits.take, now: () => 0, logger }), config),
    now: () => 0,
    routes: apiRoutes(peers),
    tools: [],
    operations: peers.operations,
    runCall: () => Promise.reject(new Error('no call is made')),
    findSources: async () => [],
  });
  app.addHook('onRoute', add);
  await app.ready();
  await app.close();
  const described = operations().map(([method, path]) => `${method} ${path.replaceAll(/{(\w+)}/g, ':$1')}`);
  const isPage = (route: string) =>
    /^(GET|HEAD) \/((docs|assets|explore)(\/.*)?|sources|openapi\.json|llms(-full)?\.txt)?$/.test(route);
  expect(served.filter((route) => !isPage(route)).toSorted()).toEqual([...described, 'POST /mcp'].toSorted());
});

test('every error code is described: at the operations that answer it, or in the table of all', () => {
  const atOperations = new Set(
    operations().flatMap(([, , { responses }]) =>
      Object.values(responses).flatMap(({ content }) => Object.keys(content['application/json'].examples ?? {})),
    ),
  );
  const elsewhere = Object.keys(ERROR_CODES).filter((code) => !atOperations.has(code));
  expect(elsewhere).toEqual(['not_found', 'method_not_allowed']);
  for (const [code, { status }] of Object.entries(ERROR_CODES))
    expect(document.info.description).toContain(`| ${status} | \`${code}\` |`);
});

test('the document states the limits of this gateway', () => {
  for (const limit of [
    '50 calls a second',
    '1000 polls',
    '1000 pages',
    '6000 reads of single observations an hour',
    '64 calls',
    '131072 bytes',
    '8192',
    '24576',
    '30 s',
  ])
    expect(document.info.description).toContain(limit);
});

test.each<[string, () => Outcome]>([
  ['a result', () => searched],
  ['an unfinished operation', () => ({ case: 'pending', value: {} })],
])('%s is described with its headers wherever it is answered', async (_name, outcome) => {
  next = outcome;
  const paths = ['/api/companies/search', '/api/usages/{id}', '/api/observations/{id}', '/api/usage/statement'];
  for (const [method, path, { responses }] of operations()) {
    if (outcome().case === 'pending' ? !('202' in responses) : !paths.includes(path)) continue;
    await expectDescribed(method, path, await call(method, path));
  }
});

test.each<[string, CallInit]>([
  ['a missing credential', { headers: { authorization: '' } }],
  ['a missing idempotency key', { headers: { 'idempotency-key': ' ' } }],
  ['another media type', { headers: { 'content-type': 'text/plain' } }],
])('%s is described at every operation that refuses it', async (_name, init) => {
  next = () => ({ case: 'pending', value: {} });
  for (const [method, path] of operations()) {
    const response = await call(method, path, init);
    if (path !== '/api/usage' || response.status === 401) await expectDescribed(method, path, response);
  }
});

const STORED: readonly ErrorCode[] = ['planning_unavailable', 'search_failed', 'usage_expired'];

test('every code that an operation describes is answered with the status and headers it describes', async () => {
  let answered = 0;
  for (const [method, path, { responses }] of operations())
    for (const code of codesOf(responses)) {
      const failureCode = FailureCode[code.toUpperCase() as keyof typeof FailureCode];
      if (failureCode === undefined || code === 'invalid_api_key' || path === '/api/usage') continue;
      next = () => {
        if (STORED.includes(code)) return { case: 'failed', value: failure(failureCode, 'Stored.') };
        throw fail(failureCode, 'Refused.', code === 'request_limit_reached' ? { retryAfterSeconds: 1 } : {});
      };
      const response = await call(method, path);
      expect([path, code, response.status]).toEqual([path, code, ERROR_CODES[code].status]);
      await expectDescribed(method, path, response);
      answered += 1;
    }
  expect(answered).toBeGreaterThan(60);
});

function codesOf(responses: Operation['responses']): ErrorCode[] {
  const examples = Object.entries(responses).flatMap(([status, { content }]) =>
    status === '400' ? [] : Object.keys(content['application/json'].examples ?? {}),
  );
  return examples as ErrorCode[];
}
