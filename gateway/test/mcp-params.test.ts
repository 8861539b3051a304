import { createLogger } from '@ces/chassis/telemetry/log';
import { someOf } from '@ces/test/support/volume.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createServer } from '../src/mcp/server.ts';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { modernMessage, REVISIONS, type Revision } from '../test-support/mcp-client.ts';
import { answerOf, searched } from '../test-support/peers.ts';

type Members = Readonly<Record<string, unknown>>;

let submitted = 0;
let gateway: TestGateway;

beforeAll(async () => {
  const submitCompanySearch = async () => {
    submitted += 1;
    return { answer: answerOf(searched) };
  };
  gateway = await startGateway(
    { operations: { submitCompanySearch } },
    { config: { credentialCallsPerSecond: 1_000_000, credentialBurst: 1_000_000 } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  submitted = 0;
});

/** Valid params of each method, with every member that the protocol knows. */
const GOOD: Readonly<Record<string, Members>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {}, roots: { listChanged: true }, elicitation: {}, experimental: {}, tasks: {} },
    clientInfo: { name: 't', version: '1', title: 'T', icons: [], websiteUrl: 'https://a.example' },
  },
  ping: {},
  'server/discover': {},
  'tools/list': { cursor: 'c' },
  'tools/call': { name: 'no_such_tool', arguments: {}, task: { ttl: 1 }, inputResponses: {}, requestState: 's' },
  'logging/setLevel': { level: 'info' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } },
  'resources/list': { cursor: 'c' },
  'resources/read': { uri: 'u' },
  'resources/templates/list': { cursor: 'c' },
  'prompts/list': { cursor: 'c' },
  'prompts/get': { name: 'p' },
  'tasks/get': { taskId: 't' },
  'subscriptions/listen': { notifications: { toolsListChanged: true } },
  'sampling/createMessage': { messages: [] },
  'nothing/here': { member: 1 },
  'notifications/initialized': {},
  'notifications/cancelled': { requestId: 1, reason: 'r' },
  'notifications/progress': { progressToken: 1, progress: 1 },
  'notifications/nothing': { member: 1 },
};
const WRONG = [undefined, null, 7, 'x', true, [], [1], {}, { member: 1 }];

/** Yields variants of `value`: itself and each member at any depth replaced by a wrong value. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value))
    for (const wrong of spoiled(member)) yield { ...value, [name]: wrong };
}

interface RpcAnswer {
  readonly status: number;
  readonly text: string;
  readonly error?: { readonly code: number; readonly message: string };
}

async function send(json: unknown, headers: Record<string, string>): Promise<RpcAnswer> {
  const response = await gateway.call('/mcp', { method: 'POST', json, headers });
  const text = await response.text();
  const error = text.startsWith('{') ? (JSON.parse(text) as RpcAnswer).error : undefined;
  return { status: response.status, text, ...(error && { error }) };
}

function sendAs(revision: Revision, method: string, params: unknown, more: Members = {}): Promise<RpcAnswer> {
  if (revision === '2025-11-25') return send({ jsonrpc: '2.0', id: 1, method, params, ...more }, {});
  const members = isObject(params) ? params : {};
  const { json, headers } = modernMessage(method, members);
  const hasOtherMeta = '_meta' in members && !isObject(members._meta);
  const sent = isObject(params) ? { ...json.params, ...(hasOtherMeta && { _meta: members._meta }) } : params;
  return send({ ...json, params: sent, ...more }, headers);
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SPOILED = 20;

/** Signs of internal output: validator issues, stack traces, file names. */
const DUMP = /invalid_type|expected|received|"path"|zod|\n|\bat .*:\d|node_modules|\.[mc]?[jt]s\b/i;

function expectMistakeOfClient({ status, text, error }: RpcAnswer): void {
  expect(status).toBeLessThan(500);
  if (error) expect(error.code).not.toBe(-32603);
  if (error) expect(text).not.toMatch(DUMP);
}

describe.each(REVISIONS)('for a client of revision %s', (revision) => {
  test.each(Object.keys(GOOD))('no params of %s are an internal error or show a validator', async (method) => {
    for (const params of someOf([...spoiled({ ...GOOD[method], _meta: { progressToken: 1 } })], SPOILED)) {
      expectMistakeOfClient(await sendAs(revision, method, params));
      expectMistakeOfClient(await sendAs(revision, method, params, { id: undefined }));
    }
    expect(submitted).toBe(0);
  });

  test.each([
    [{ id: null }],
    [{ id: 1.5 }],
    [{ id: {} }],
    [{ id: true }],
    [{ jsonrpc: undefined }],
    [{ jsonrpc: '1.0' }],
    [{ method: undefined }],
    [{ method: 7 }],
    [{ method: '' }],
    [{ result: {} }],
    [{ error: { code: -32603, message: 'm' } }],
    [{ extra: 1 }],
  ])('a message with %j is no internal error', async (more) => {
    expectMistakeOfClient(await sendAs(revision, 'tools/list', {}, more));
  });

  test.each([
    ['tools/list', { cursor: null }, 'cursor'],
    ['tools/call', {}, 'name'],
    ['tools/call', { name: 'search_companies', arguments: [] }, 'arguments'],
  ])('%s with %j is -32602 and names the member', async (method, params, member) => {
    const { error } = await sendAs(revision, method, params);
    expect(error).toEqual({
      code: -32602,
      message: `Invalid params of ${method}: \`${member}\` is missing or of the wrong type.`,
    });
  });

  test('a method that is not there is -32601, whatever its params', async () => {
    for (const params of [undefined, {}, { cursor: null }])
      for (const method of ['nothing/here', 'prompts/list', 'completion/complete']) {
        const { error } = await sendAs(revision, method, params ?? {});
        expect(error?.code).toBe(-32601);
      }
  });
});

test.each([
  ['clientInfo.version', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't' } }],
  ['capabilities.sampling', { protocolVersion: '2025-11-25', capabilities: { sampling: null } }],
  ['protocolVersion', { capabilities: {}, clientInfo: { name: 't', version: '1' } }],
  ['params', undefined],
])('initialize with a wrong `%s` is -32602 and names it', async (member, params) => {
  const { status, error } = await sendAs('2025-11-25', 'initialize', params);
  expect(status).toBe(200);
  expect(error?.code).toBe(-32602);
  expect(error?.message).toContain(`\`${member}\``);
});

test('a fault of a method itself is an internal error that is logged and shows nothing', async () => {
  const failing: typeof createServer = (tools, call) => {
    const server = createServer(tools, { ...call, logger: createLogger('test', 'silent') });
    server.setRequestHandler('tools/list', () => {
      throw new TypeError('secret of the house');
    });
    server.setRequestHandler('tools/call', () => ({ content: 'secret of the house' }) as never);
    return server;
  };
  await using broken = await startGateway({}, { createMcpServer: failing });
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'search_companies' }],
  ] as const) {
    const response = await broken.call('/mcp', { method: 'POST', ...modernMessage(method, params) });
    expect(await response.json()).toMatchObject({ error: { code: -32603, message: 'Internal error' } });
  }
});
