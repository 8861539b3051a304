import { FailureCode, fail, failure } from '@ces/chassis/rpc/failure';
import { Action, type OperationAnswer } from '@ces/proto/ces/operations/v1/operations_pb.ts';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { connectMcp, modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, OTHER_TOKEN, type Outcome, searched } from '../test-support/peers.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const DECLARED = { extensions: { [TASKS]: {} } };
const PENDING: Outcome = { case: 'pending', value: {} };
const CALL = { name: 'search_companies', arguments: { query: 'bids', request_key: 'k', background: true } };

let gateway: TestGateway;
let submitted: Outcome;
let polled: () => OperationAnswer;

beforeAll(async () => {
  gateway = await startGateway(
    {
      operations: {
        submitCompanySearch: () => ({ answer: answerOf(submitted) }),
        submitCompanyLookup: () => ({ answer: answerOf(submitted, { action: Action.COMPANY_LOOKUP }) }),
        getOperation: ({ caller, operationId }) => {
          const accountId = caller?.identity.case === 'principal' ? caller.identity.value.accountId : 0n;
          if (operationId !== 41n || accountId !== 7n) throw fail(FailureCode.USAGE_NOT_FOUND, 'There is none.');
          return { answer: polled() };
        },
      },
    },
    { config: { pollsPerSecond: 1_000, authenticationFreshMs: 0 } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});
beforeEach(() => {
  submitted = PENDING;
  polled = () => answerOf(PENDING);
});

interface Message {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

async function send(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { capabilities = DECLARED as object, token }: { capabilities?: object; token?: string } = {},
): Promise<Message & { readonly status: number }> {
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const { json, headers } = modernMessage(method, { ...params, _meta });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await gateway.call('/mcp', { method: 'POST', json, headers: { ...headers, ...authorization } });
  return { status: response.status, ...((await response.json()) as Message) };
}

test('the server declares the extension in revision 2026-07-28 and not before', async () => {
  const discovered = await send('server/discover', {});
  expect(discovered.result?.capabilities).toEqual({ tools: {}, extensions: { [TASKS]: {} } });
  await using legacy = await connectMcp(gateway.url, '2025-11-25');
  expect(legacy.client.getServerCapabilities()).toEqual({ tools: {} });
});

test('a background search is a task for a client that declares the extension', async () => {
  const { result } = await send('tools/call', CALL);
  expect(isCreateTaskResultV2(result)).toBe(true);
  expect(result).toMatchObject({
    resultType: 'task',
    taskId: '41',
    status: 'working',
    statusMessage: 'The search goes on. Polls are free.',
    createdAt: '2026-03-04T05:06:07.089Z',
    lastUpdatedAt: '2026-03-04T05:06:07.089Z',
    pollIntervalMs: 2_000,
    _meta: { 'usage-id': '41', location: '/api/usages/41' },
  });
  expect(result).not.toHaveProperty('content');
});

test('other clients get the pending operation as a result, as over REST', async () => {
  const { result } = await send('tools/call', CALL, { capabilities: {} });
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { usage: { status: 'pending' } } });
  await using legacy = await connectMcp(gateway.url, '2025-11-25');
  expect((await legacy.call(CALL.name, CALL.arguments)).structuredContent).toMatchObject({ usage: { id: 41 } });
});

test('a search that is known and finished is a result at once', async () => {
  submitted = searched;
  const { result } = await send('tools/call', CALL);
  expect(result).toMatchObject({ resultType: 'complete', structuredContent: { usage: { status: 'delivered' } } });
});

test('polls say working, then hold the result that the call would have had', async () => {
  const working = await send('tasks/get', { taskId: '41' });
  expect(isDetailedTaskV2(working.result)).toBe(true);
  expect(working.result).toMatchObject({ resultType: 'complete', taskId: '41', status: 'working' });
  polled = () => answerOf(searched);
  const { result } = await send('tasks/get', { taskId: '41' });
  expect(isDetailedTaskV2(result)).toBe(true);
  const rest = await gateway.call('/api/usages/41');
  expect(result).toMatchObject({
    resultType: 'complete',
    status: 'completed',
    lastUpdatedAt: '2026-03-04T05:06:09.000Z',
    result: {
      resultType: 'complete',
      structuredContent: await rest.json(),
      isError: false,
      _meta: { 'usage-id': '41' },
    },
  });
});

test('a stored failure completes the task with an error result: only JSON-RPC errors fail a task', async () => {
  polled = () => answerOf({ case: 'failed', value: failure(FailureCode.SEARCH_FAILED, 'It failed.') });
  const { result } = await send('tasks/get', { taskId: '41' });
  expect(result).toMatchObject({
    status: 'completed',
    result: { isError: true, structuredContent: { error: { code: 'search_failed' } } },
  });
});

test('the official client of the extension follows the task to its result', async () => {
  await using session = await connectMcp(gateway.url, '2026-07-28');
  const capabilities = { extensions: { [TASKS]: {} } };
  const rawDispatch = async (request: unknown) => {
    const { method, params } = request as { method: string; params: Record<string, string> };
    const { headers } = modernMessage(method, params);
    const json = { jsonrpc: '2.0', id: 1, method, params };
    const response = await gateway.call('/mcp', { method: 'POST', json, headers });
    return JSON.parse(await response.text());
  };
  const tasks = createTaskSessionFromClient(session.client, {
    endpointId: 'test',
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: capabilities,
    },
  });
  let polls = 0;
  polled = () => {
    polls += 1;
    return answerOf(polls < 2 ? PENDING : searched);
  };
  const execution = await tasks.callTool(CALL.name, CALL.arguments);
  const { outcome } = await execution.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ structuredContent: { usage: { status: 'delivered' } } });
  expect(polls).toBe(2);
  await tasks.close();
});

test('updates and cancellations are acknowledged and change nothing', async () => {
  for (const method of ['tasks/update', 'tasks/cancel']) {
    const { result } = await send(method, { taskId: '41', inputResponses: {} });
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(result).not.toHaveProperty('taskId');
  }
  expect((await send('tasks/get', { taskId: '41' })).result).toMatchObject({ status: 'working' });
});

test.each(['42', '0', '041', 'abc', ''])('the task %j is unknown', async (taskId) => {
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect((await send(method, { taskId })).error).toMatchObject({ code: -32602 });
});

test('a task of another account, or of an operation that no tool starts, is unknown', async () => {
  expect((await send('tasks/get', { taskId: '41' }, { token: OTHER_TOKEN })).error).toMatchObject({ code: -32602 });
  polled = () => answerOf(PENDING, { action: Action.OBSERVATION_SEARCH });
  expect((await send('tasks/get', { taskId: '41' })).error).toMatchObject({ code: -32602 });
});

test('a client that does not declare the extension learns which capability is missing', async () => {
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect(await send(method, { taskId: '41' }, { capabilities: {} })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: DECLARED } },
    });
});

test('an outage is an error with the code of REST', async () => {
  polled = () => {
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'Not now.');
  };
  expect((await send('tasks/get', { taskId: '41' })).error).toEqual({
    code: -32000,
    message: 'Not now.',
    data: { error: { code: 'service_unavailable', message: 'Not now.' } },
  });
});
