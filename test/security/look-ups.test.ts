import { randomUUID } from 'node:crypto';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { connectMcp, type McpSession, REVISIONS } from '@ces/gateway/test-support/mcp-client';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { type Answer, createSubscriber, type Subscriber, type SubscriberOptions } from '../support/subscriber.ts';
import { someOf } from '../support/volume.ts';

// Refusals of lookups do not depend on what the record knows, and an IP address is no hostname.
let stack: TestStack;
let recorded: Recorded;

beforeAll(async () => {
  stack = await startTestStack();
  const { companies, observations } = facilities(3, 'cold storage warehouse');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(() => stack[Symbol.asyncDispose]());

const SINCE = '2020-01-01T00:00:00Z';
const KNOWN = ['northwind1.example', 'northwind2.example', 'northwind3.example'];
const UNKNOWN = ['nobody1.example', 'nobody2.example', 'nobody3.example'];

const queried = (path: string, name: string, values: readonly (string | number)[]) =>
  `${path}?${values.map((value) => `${name}[]=${value}`).join('&')}`;

interface Path {
  readonly name: string;
  readonly noun: 'ids' | 'domains';
  look(subscriber: Subscriber, values: readonly (string | number)[], key: string): Promise<Answer['body']>;
}

const REST: readonly Path[] = [
  {
    name: 'GET /api/companies of ids',
    noun: 'ids',
    look: async (caller, ids, key) =>
      (await caller.request('GET', queried('/api/companies', 'ids', ids), { key })).body,
  },
  {
    name: 'GET /api/companies of domains',
    noun: 'domains',
    look: async (caller, domains, key) =>
      (await caller.request('GET', queried('/api/companies', 'domains', domains), { key })).body,
  },
  {
    name: 'GET /api/observations',
    noun: 'domains',
    look: async (caller, domains, key) =>
      (await caller.request('GET', `${queried('/api/observations', 'domains', domains)}&since=${SINCE}`, { key })).body,
  },
  {
    name: 'POST /api/observations/lookup',
    noun: 'domains',
    look: async (caller, domains, key) =>
      (await caller.request('POST', '/api/observations/lookup', { json: { domains, since: SINCE }, key })).body,
  },
];
const MCP: readonly Path[] = REVISIONS.flatMap((revision) =>
  (['ids', 'domains'] as const).map((noun) => ({
    name: `get_companies of ${noun}, revision ${revision}`,
    noun,
    look: async (caller: Subscriber, values: readonly (string | number)[], request_key: string) => {
      await using session: McpSession = await connectMcp(stack.baseUrl, revision, caller.token);
      const result = await session.call('get_companies', { [noun]: values, request_key });
      return result.structuredContent as Answer['body'];
    },
  })),
);

/** A refusal without its instants, which depend on the time. */
const wording = ({ error }: Answer['body']) => ({
  code: error?.code,
  message: error?.message?.replace(/\d{4}-\S+Z/g, ''),
});

describe.each([...REST, ...MCP])('$name', ({ noun, look }) => {
  const valuesOf = (known: boolean): readonly (string | number)[] => {
    if (noun === 'domains') return known ? KNOWN : UNKNOWN;
    return known ? Object.values(recorded.companies) : [900_001, 900_002, 900_003];
  };
  const withTwoLeft = async (options: SubscriberOptions = {}) =>
    await createSubscriber(stack, { limits: { windowDeliveredUnits: 2n }, ...options });

  test('refuses by the number of inputs: alike whether they are known, and names a smaller number', async () => {
    const subscriber = await withTwoLeft();
    const refusals = [];
    for (const known of [true, false, true])
      refusals.push(wording(await look(subscriber, valuesOf(known), randomUUID())));
    expect(refusals[0]).toMatchObject({ code: 'request_limit_reached' });
    expect(refusals[0]?.message).toContain(`At most 2 ${noun} would be admitted now.`);
    expect(refusals[0]?.message).not.toContain('limit`');
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
    expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 0, delivered_units: 0 });
  });

  test('admits that number, charges what was found, and leaves the key of a refusal free', async () => {
    const subscriber = await withTwoLeft();
    const key = randomUUID();
    expect(wording(await look(subscriber, valuesOf(true), key)).code).toBe('request_limit_reached');
    const two = [...valuesOf(true).slice(0, 1), ...valuesOf(false).slice(0, 1)];
    expect((await look(subscriber, two, key)).usage).toMatchObject({ request_units: 1, delivered_units: 1 });
    // One unit is left: a lookup of one input fits, whether it is known or not.
    expect((await look(subscriber, valuesOf(false).slice(0, 1), randomUUID())).usage).toMatchObject({
      delivered_units: 0,
    });
    expect(wording(await look(subscriber, valuesOf(false).slice(0, 2), randomUUID())).message).toContain(
      `At most one ${noun.slice(0, -1)} would be admitted now.`,
    );
  });
});

test('one company: nothing left is refused alike, known or not', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowDeliveredUnits: 1n } });
  await subscriber.lookUp({ domains: KNOWN.slice(0, 1) });
  const [first = 0] = Object.values(recorded.companies);
  const one = async (id: number) =>
    wording((await subscriber.request('GET', `/api/companies/${id}`, { key: randomUUID() })).body);
  expect(await one(first)).toMatchObject({ code: 'request_limit_reached' });
  expect(await one(900_001)).toEqual(await one(first));
});

test('a later page, whose limit cannot change, names no smaller one', async () => {
  const subscriber = await createSubscriber(stack, { limits: { windowDeliveredUnits: 3n } });
  const body = { query: 'cold storage warehouse', limit: 2 };
  const first = await subscriber.search(body);
  expect(first.body.next_cursor).toEqual(expect.any(String));
  await subscriber.lookUp({ domains: KNOWN.slice(0, 1) });
  const { status, body: refused } = await subscriber.search({ ...body, cursor: first.body.next_cursor });
  expect([status, wording(refused).code]).toEqual([429, 'request_limit_reached']);
  expect(refused.error.message).not.toContain('would be admitted now');
  expect((await subscriber.search({ ...body, limit: 2, query: 'another warehouse' })).body.error.message).not.toContain(
    'ids',
  );
});

describe('an IP address is no hostname', () => {
  const ADDRESSES = [
    ...['127.0.0.1', '8.8.8.8.', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '１２７.0.0.1'],
    ...['::1', '[::1]', '2001:db8::1', '[2001:db8::1]', '::ffff:127.0.0.1'],
  ];

  test.each(someOf(ADDRESSES, 4))(
    '%s is invalid_search over REST, MCP and gRPC, and costs nothing',
    async (address) => {
      const subscriber = await createSubscriber(stack);
      const post = (path: string, json: unknown) => subscriber.request('POST', path, { json, key: randomUUID() });
      const search = (filters: unknown) => post('/api/companies/search', { query: 'cold storage', filters });
      const encoded = encodeURIComponent(address);
      const answers = [
        await subscriber.lookUp({ domains: [address] }),
        await search({ domains: [address] }),
        await search({ exclude_domains: ['a.example', address] }),
        await post('/api/observations/lookup', { domains: [address], since: SINCE }),
        await subscriber.request('GET', `/api/observations?domains[]=${encoded}&since=${SINCE}`, { key: randomUUID() }),
      ].map(({ status, body }) => [status, body.error?.code]);
      expect(answers).toEqual(answers.map(() => [422, 'invalid_search']));
      await using session = await connectMcp(stack.baseUrl, '2026-07-28', subscriber.token);
      const tools = [
        await session.call('get_companies', { domains: [address], request_key: randomUUID() }),
        await session.call('search_companies', {
          ...{ query: 'cold storage', filters: { domains: [address] } },
          request_key: randomUUID(),
        }),
      ];
      for (const { structuredContent } of tools)
        expect(structuredContent).toMatchObject({ error: { code: 'invalid_search' } });
      const operations = createRpcClient(OperationsService, {
        url: stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '',
        timeoutMs: 10_000,
      });
      const request = {
        caller: { identity: { case: 'bearer', value: subscriber.token } },
        requestKey: randomUUID(),
      } as const;
      await expect(operations.submitCompanyLookup({ ...request, input: { domains: [address] } })).rejects.toThrow(
        /is not a hostname/,
      );
      expect((await subscriber.report()).body.usage).toMatchObject({ request_units: 0 });
    },
  );

  test.each(someOf(ADDRESSES, 4))('%s is refused when it is recorded', async (address) => {
    const made = await stack.record.recordCompanies({
      source: 'test',
      companies: [{ key: randomUUID(), name: 'Example', country: 1, hostnames: [address] }],
    });
    expect(made.companies[0]?.reason).toBe('a hostname is none');
  });
});
