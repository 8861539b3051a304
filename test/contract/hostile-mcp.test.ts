import { randomUUID } from 'node:crypto';
import type { AnswerBody } from '@ces/gateway/test-support/answer-body';
import { modernMessage } from '@ces/gateway/test-support/mcp-client';
import fc from 'fast-check';
import { afterAll, assert, beforeAll, expect, test } from 'vitest';
import { anything, companyLookup, companySearch, mostly } from '../support/contract/arbitrary.ts';
import { type BodyName, bodyFault } from '../support/contract/bodies.ts';
import { recordCatalogue } from '../support/contract/catalogue.ts';
import { FUZZ_STACK, fuzz, wealthySubscriber } from '../support/contract/fuzz.ts';
import { Meter } from '../support/contract/meter.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import type { Subscriber } from '../support/subscriber.ts';

let stack: TestStack;
let subscriber: Subscriber;

beforeAll(async () => {
  stack = await startTestStack(FUZZ_STACK);
  await recordCatalogue(stack);
  subscriber = await wealthySubscriber(stack);
});
afterAll(() => stack[Symbol.asyncDispose]());

async function post(message: { readonly json: unknown; readonly headers: Record<string, string> }) {
  const response = await fetch(`${stack.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${subscriber.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...message.headers,
    },
    body: typeof message.json === 'string' ? message.json : JSON.stringify(message.json),
  });
  const text = await response.text();
  const body: AnswerBody | undefined = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

function callMessage(modern: boolean, name: string, args: unknown) {
  if (modern) return modernMessage('tools/call', { name, arguments: args });
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return { json, headers: { 'mcp-protocol-version': '2025-11-25' } };
}

/** Error codes that a tool may return in this test (gateway/docs/contract.md, MCP). */
const REFUSALS = ['invalid_search', 'idempotency_key_required', 'idempotency_conflict', 'invalid_cursor'];

const requestKey = (tool: string) =>
  fc.oneof(
    { weight: 40, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: fc.constantFrom(`again: ${tool}`, ` again: ${tool} `) },
    { weight: 2, arbitrary: mostly(fc.constantFrom('\u0007', ' ', 'x'.repeat(1025))) },
  );

test.each<[string, BodyName, fc.Arbitrary<unknown>]>([
  ['search_companies', 'CompanyResult', companySearch],
  ['get_companies', 'CompanyLookupResult', companyLookup],
])(
  'tool %s: whatever the arguments are, the result is closed and documented, and a refusal costs nothing',
  { timeout: 3_600_000 },
  async (tool, result, input) => {
    const meter = new Meter(stack, subscriber);
    await meter.ready();
    const calls = fc.record({ modern: fc.boolean(), input: mostly(input), key: requestKey(tool) });
    const outcomes = await fuzz(tool, calls, async ({ modern, input, key }) => {
      const args = isObject(input) ? { ...input, request_key: key === '' ? randomUUID() : key } : input;
      const { status, headers, body } = await post(callMessage(modern, tool, args));
      const shown = JSON.stringify({ args, status, body });
      if (!isObject(args)) {
        expect(body, shown).toMatchObject({ error: { code: expect.any(Number), message: expect.any(String) } });
        return 'no call';
      }
      expect(status, shown).toBe(200);
      assert(body);
      const { structuredContent, isError, _meta } = body.result;
      expect(headers.get('x-request-id')).toBe(_meta['x-request-id']);
      const bodies: BodyName[] = isError ? ['Error'] : [result, 'Pending'];
      const fitting = bodies.filter((name) => bodyFault(structuredContent, name) === undefined);
      expect(fitting, shown).toHaveLength(1);
      meter.count({ headers: new Headers(), body: structuredContent });
      if (isError) expect(REFUSALS, shown).toContain(structuredContent.error.code);
      return isError ? structuredContent.error.code : (fitting[0] ?? 'none');
    });
    console.log(tool, outcomes, await meter.expectEven());
  },
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const often = (...values: string[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: anything });
const method = often(
  'tools/list',
  'ping',
  'initialize',
  'server/discover',
  'notifications/initialized',
  'tools/call',
  'x',
);
const call = { jsonrpc: often('2.0'), id: mostly(fc.nat()), method };
const message = fc.oneof(
  { weight: 8, arbitrary: fc.record(call, { requiredKeys: ['jsonrpc', 'method'] }) },
  { weight: 4, arbitrary: fc.record({ ...call, params: anything }) },
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: fc.string().map((text) => `{"jsonrpc":"2.0",${text}`) },
);

test('whatever is posted to /mcp, the answer is an answer of the protocol or the Error body, and costs nothing', {
  timeout: 3_600_000,
}, async () => {
  const meter = new Meter(stack, subscriber);
  await meter.ready();
  const posts = fc.record({ json: message, revision: fc.constantFrom('2026-07-28', '2025-11-25', '1999-01-01', '') });
  const outcomes = await fuzz('POST /mcp', posts, async ({ json, revision }) => {
    const headers: Record<string, string> = revision === '' ? {} : { 'mcp-protocol-version': revision };
    const { status, body } = await post({ json: json ?? null, headers });
    const shown = JSON.stringify({ json, status, body });
    expect([200, 202, 400, 404, 413, 415, 422], shown).toContain(status);
    if (body?.jsonrpc === '2.0') expect('result' in body !== 'error' in body, shown).toBe(true);
    else if (body !== undefined) expect(bodyFault(body, 'Error'), shown).toBeUndefined();
    return String(status);
  });
  console.log('POST /mcp', outcomes, await meter.expectEven());
});

test('nothing of it was lost or charged twice: ledger and counters agree', async () => {
  const { differences } = await stack.ledgerAdmin.verifyLedger({});
  expect(differences).toEqual([]);
});
