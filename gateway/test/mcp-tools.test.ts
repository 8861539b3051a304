import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { LookupStatus } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import type {
  SubmitCompanyLookupRequest,
  SubmitCompanySearchRequest,
} from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FACTS } from '../src/schema/facts.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { connectMcp, type McpSession, REVISIONS, textOf } from '../test-support/mcp-client.ts';
import { AT, answerOf, company, type Outcome, principalOf, searched, TOKEN } from '../test-support/peers.ts';

/** What operations answers next, and what it was sent. */
let next: () => Outcome;
let replayed = false;
const asked: (SubmitCompanySearchRequest | SubmitCompanyLookupRequest)[] = [];
let traceparents: (string | null)[] = [];
let subscriptionStatus = 'active';
let gateway: TestGateway;

beforeAll(async () => {
  const submit = (request: (typeof asked)[number], headers: Headers) => {
    asked.push(request);
    traceparents.push(headers.get('traceparent'));
    return { answer: answerOf(next(), { replayed }) };
  };
  gateway = await startGateway(
    {
      ledger: {
        authenticate: ({ bearer }) => ({ principal: { ...principalOf(bearer), subscriptionStatus } }),
        getAllowance: ({ subscriptionId }) => ({
          allowance: { windowSeconds: 18_000n, windowLimit: 60n, weeklyLimit: 500n, weeklyRemaining: subscriptionId },
        }),
      },
      operations: {
        submitCompanySearch: (request, { requestHeader }) => submit(request, requestHeader),
        submitCompanyLookup: (request, { requestHeader }) => submit(request, requestHeader),
      },
    },
    { config: { authenticationFreshMs: 0 } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  next = () => searched;
  replayed = false;
  subscriptionStatus = 'active';
  asked.length = 0;
  traceparents = [];
});

const OF_OPERATION = ['idempotent-replayed', 'ratelimit', 'ratelimit-policy', 'units-settled', 'usage-id'];
/** Headers that say something of the answer. */
const OF_ANSWERS = ['link', 'location', 'retry-after', ...OF_OPERATION].toSorted();

const refusing =
  (...[code, details]: [FailureCode, Parameters<typeof fail>[2]?]): (() => never) =>
  () => {
    throw fail(code, 'Refused.', details);
  };

const lookedUp: Outcome = {
  case: 'companyLookup',
  value: {
    asOf: AT,
    companies: [company],
    lookups: [
      { input: { case: 'domain', value: 'a.example' }, status: LookupStatus.FOUND, companyId: 21n },
      { input: { case: 'domain', value: 'b.example' }, status: LookupStatus.NOT_FOUND },
    ],
    limitations: ['limited_source_coverage'],
    withheldUnits: 0n,
  },
};

/** Headers that differ from call to call, or are HTTP's own. */
const OWN_HEADERS =
  /^(x-request-id|traceparent|date|connection|keep-alive|content-.*|cache-control|referrer-policy|cross-origin-.*|x-content-.*|x-frame-.*)$/;
const saidInHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.test(name)));

describe.each(REVISIONS)('for a client of revision %s', (revision) => {
  let session: McpSession;
  beforeAll(async () => {
    session = await connectMcp(gateway.url, revision);
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
  });

  const search = (args: Record<string, unknown> = {}) =>
    session.call('search_companies', { query: 'bids', request_key: 'k', ...args });
  const overRest = (json: Record<string, unknown> = {}) =>
    gateway.call('/api/companies/search', { method: 'POST', requestKey: 'k', json: { query: 'bids', ...json } });

  test.each<[string, Outcome, boolean]>([
    ['a finished operation', searched, false],
    ['a replay', searched, true],
    ['an unfinished operation', { case: 'pending', value: {} }, false],
    ['a stored failure', { case: 'failed', value: failure(FailureCode.PLANNING_UNAVAILABLE, 'No plan.') }, true],
  ])('%s is the body of REST, and _meta has what REST puts in headers', async (_what, outcome, isReplay) => {
    next = () => outcome;
    replayed = isReplay;
    const [result, response] = await Promise.all([search(), overRest()]);
    expect(result.structuredContent).toEqual(await response.json());
    expect(result._meta).toMatchObject(saidInHeaders(response));
    expect(Object.keys(saidInHeaders(response)).length).toBeGreaterThan(3);
    expect(result.isError).toBe(response.status === 422);
  });

  test('a search hands over what REST hands over', async () => {
    const body = {
      query: ' "bids" -x ',
      limit: 3,
      target: 7,
      cursor: 'c',
      background: true,
      filters: {
        countries: ['CA'],
        company_ids: [5],
        exclude_domains: ['a.example'],
        occurred_after: '2026-01-01T00:00:00Z',
      },
    };
    await search(body);
    await overRest(body);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toEqual(asked[1]);
  });

  test('a look-up hands over what REST hands over and says the same', async () => {
    next = () => lookedUp;
    const domains = ['a.example', 'b.example'];
    const result = await session.call('get_companies', { domains, request_key: ' k ' });
    const response = await gateway.call('/api/companies?domains[]=a.example&domains[]=b.example', { requestKey: 'k' });
    expect(result.structuredContent).toEqual(await response.json());
    expect(asked[0]).toEqual(asked[1]);
    await session.call('get_companies', { ids: [21, 7], request_key: 'k' });
    await gateway.call('/api/companies?ids[]=21&ids[]=7', { requestKey: 'k' });
    expect(asked[2]).toEqual(asked[3]);
  });

  test('the text holds the JSON for clients that read nothing else, and is short for the others', async () => {
    const result = await search();
    if (revision === '2025-11-25') expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    else expect(textOf(result)).toContain('A Ltd [company 21, a.example]');
  });

  test.each([
    [{ limit: 0 }],
    [{ limit: 1.5 }],
    [{ limit: '3' }],
    [{ limit: null }],
    [{ background: 'true' }],
    [{ query: 7 }],
    [{ filters: { nothing: [] } }],
    [{ filters: { countries: ['MX'] } }],
    [{ unknown: 1 }],
    [{ filters: { company_ids: Array.from({ length: 101 }, (_, index) => index + 1) } }],
  ])('%o is refused as REST refuses it, as a result, and reaches no service', async (args) => {
    const result = await search(args);
    const response = await overRest(args);
    expect(response.status).toBe(422);
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { code: 'invalid_search' } });
    const message = ({ error }: { error: { message: string } }) => error.message;
    expect(message(result.structuredContent as never)).toBe(message((await response.json()) as never));
    expect(asked).toEqual([]);
  });

  test.each([
    [undefined, 'idempotency_key_required'],
    ['', 'idempotency_key_required'],
    [' \t', 'idempotency_key_required'],
    ['a\u0007b', 'invalid_search'],
    [7, 'invalid_search'],
    [null, 'invalid_search'],
  ])('request_key %j is %s', async (request_key, code) => {
    const result = await search({ request_key });
    expect(result.structuredContent).toMatchObject({
      error: { code, message: expect.stringContaining('request_key') },
    });
    expect(asked).toEqual([]);
  });

  test.each([
    [{}],
    [{ ids: [1], domains: ['a.example'] }],
    [{ ids: [] }],
    [{ ids: ['1'] }],
    [{ ids: [0] }],
    [{ ids: Array.from({ length: 21 }, (_, index) => index + 1) }],
    [{ domains: [1] }],
    [{ 'ids[]': [1] }],
  ])('a look-up of %o is refused: exactly one of ids and domains, at most 20', async (args) => {
    const result = await session.call('get_companies', { ...args, request_key: 'k' });
    expect(result.structuredContent).toMatchObject({ error: { code: 'invalid_search' } });
    expect(asked).toEqual([]);
  });

  test.each<[string, () => Outcome, readonly string[]]>([
    ['a finished operation', () => searched, ['link', ...OF_OPERATION]],
    ['an unfinished one', () => ({ case: 'pending', value: {} }), ['location', 'retry-after', ...OF_OPERATION]],
    [
      'a stored failure',
      () => ({ case: 'failed', value: failure(FailureCode.SEARCH_FAILED, 'Stored.') }),
      OF_OPERATION,
    ],
    ['a conflict', refusing(FailureCode.IDEMPOTENCY_CONFLICT), []],
    ['an outage', refusing(FailureCode.SERVICE_UNAVAILABLE), ['retry-after']],
    [
      'a reached allowance',
      refusing(FailureCode.REQUEST_LIMIT_REACHED, { retryAt: new Date(0), retryAfterSeconds: 7 }),
      ['ratelimit', 'ratelimit-policy', 'retry-after'],
    ],
    [
      'an allowance that is too small for ever',
      refusing(FailureCode.REQUEST_LIMIT_REACHED),
      ['ratelimit', 'ratelimit-policy'],
    ],
  ])('what REST puts in headers about %s stands in _meta', async (_name, outcome, names) => {
    next = outcome;
    replayed = true;
    const headers = Object.fromEntries((await overRest()).headers);
    const meta = (await search())._meta ?? {};
    expect(OF_ANSWERS.filter((name) => name in headers)).toEqual(names.toSorted());
    for (const name of OF_ANSWERS) expect([name, meta[name]]).toEqual([name, headers[name]]);
    expect(meta).toMatchObject({ 'x-request-id': expect.any(String), traceparent: expect.any(String) });
  });

  test('a look-up that reached the allowance says what is left, too', async () => {
    next = refusing(FailureCode.REQUEST_LIMIT_REACHED, { retryAfterSeconds: 7 });
    const result = await session.call('get_companies', { ids: [1], request_key: 'k' });
    expect(result._meta).toMatchObject({
      ratelimit: '"window";r=0;t=0, "week";r=8;t=0',
      'ratelimit-policy': '"window";q=60;w=18000, "week";q=500;w=604800',
    });
  });

  test('refusals of other services are results with isError, the Error body and their headers', async () => {
    const retryAt = new Date('2026-03-04T05:06:07Z');
    next = () => {
      throw fail(FailureCode.REQUEST_LIMIT_REACHED, 'Used up.', { retryAt, retryAfterSeconds: 7 });
    };
    const result = await search();
    const response = await overRest();
    expect(response.status).toBe(429);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: await response.json(),
      _meta: { 'retry-after': '7' },
    });
    expect(textOf(result)).toContain('request_limit_reached');
  });

  test.each([
    ['service_unavailable', () => fail(FailureCode.SERVICE_UNAVAILABLE, 'Later.')],
    ['internal_error', () => new ConnectError('secret of the house', Code.Internal)],
    ['idempotency_conflict', () => fail(FailureCode.IDEMPOTENCY_CONFLICT, 'Other inputs.')],
    ['invalid_cursor', () => fail(FailureCode.INVALID_CURSOR, 'Restart.')],
  ])('%s is a result with isError', async (code, thrown) => {
    next = () => {
      throw thrown();
    };
    const result = await search();
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code } } });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('without an active subscription tools can be listed, and a call is a result that says so', async () => {
    subscriptionStatus = 'canceled';
    await using session = await connectMcp(gateway.url, revision);
    expect((await session.client.listTools()).tools).toHaveLength(2);
    const result = await session.call('search_companies', { query: 'bids', request_key: 'k' });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'subscription_required' } } });
    expect(asked).toEqual([]);
  });

  test('a revoked or missing credential is HTTP 401', async () => {
    await expect(connectMcp(gateway.url, revision, 'ces_live_other')).rejects.toThrow(
      /401|[Uu]nauthorized|invalid_api_key/,
    );
  });

  test('the trace of the call is the one in _meta', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const result = await session.client.callTool({
      name: 'search_companies',
      arguments: { query: 'bids', request_key: 'k' },
      _meta: { traceparent },
    });
    expect(traceparents).toEqual([expect.stringContaining('0af7651916cd43dd8448eb211c80319c')]);
    expect(result._meta?.traceparent).toBe(traceparents[0]);
  });

  test('each tool says what it is, what it does to the world and what its results do not prove', async () => {
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      [
        'search_companies',
        expect.objectContaining({
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        }),
      ],
      [
        'get_companies',
        expect.objectContaining({
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        }),
      ],
    ]);
    for (const { title, description, inputSchema, outputSchema } of tools) {
      expect(title).toBeTypeOf('string');
      for (const fact of FACTS) expect(description).toContain(fact);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(inputSchema.required).toContain('request_key');
      expect(outputSchema).toMatchObject({ type: 'object', oneOf: [{}, { title: 'Pending' }, { title: 'ErrorBody' }] });
    }
  });

  test('a tool that is not there is -32602', async () => {
    await expect(session.call('nothing', {})).rejects.toMatchObject({ code: -32602 });
  });
});

test('both revisions see the same tools', async () => {
  const [modern, legacy] = await Promise.all(
    REVISIONS.map(async (revision) => {
      await using session = await connectMcp(gateway.url, revision);
      return (await session.client.listTools()).tools;
    }),
  );
  expect(modern).toEqual(legacy);
});

test('the credential is never passed on', async () => {
  await using session = await connectMcp(gateway.url, '2026-07-28');
  await session.call('search_companies', { query: 'bids', request_key: 'k' });
  expect(asked[0]?.caller?.identity.case).toBe('principal');
  expect(JSON.stringify(asked[0], (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    TOKEN,
  );
});
