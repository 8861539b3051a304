import { FailureCode, fail } from '@ces/chassis/rpc/failure';
import { metrics } from '@opentelemetry/api';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, type Outcome, searched } from '../test-support/peers.ts';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const reader = new Reader();
let gateway: TestGateway;
let operations: () => Promise<ReturnType<typeof answerOf>>;
let seen = new Map<string, number>();

const failed = (code: FailureCode): Outcome => ({ case: 'failed', value: { code, message: 'It failed.' } });
const PENDING: Outcome = { case: 'pending', value: {} };

beforeAll(async () => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const answer = async () => ({ answer: await operations() });
  gateway = await startGateway(
    { operations: { submitCompanySearch: answer, submitCompanyLookup: answer, getOperation: answer } },
    { config: { accountCallsInFlight: 1, pollsPerSecond: 1 } },
  );
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  metrics.disable();
});
afterEach(() => {
  operations = async () => answerOf(searched);
});

async function counts(): Promise<Map<string, number>> {
  const calls = await histogram('ces.call.duration');
  return new Map(
    calls.map(({ attributes: { surface, action, mode, outcome }, value }) => [
      [surface, action, mode, outcome].join(' '),
      value.count,
    ]),
  );
}

async function histogram(name: string) {
  const { resourceMetrics } = await reader.collect();
  const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
  return all
    .filter(({ descriptor }) => descriptor.name === name)
    .flatMap((metric) => (metric.dataPointType === DataPointType.HISTOGRAM ? metric.dataPoints : []));
}

async function countedAs(call: () => Promise<Response>): Promise<string[]> {
  seen = await counts();
  await (await call()).text();
  const more = async () =>
    [...(await counts())].filter(([name, count]) => count > (seen.get(name) ?? 0)).map(([name]) => name);
  await expect.poll(more).not.toEqual([]);
  return await more();
}

const search = (json: object = {}) =>
  gateway.call('/api/companies/search', { method: 'POST', requestKey: 'k', json: { query: 'bids', ...json } });
const poll = (id = 41) => gateway.call(`/api/usages/${id}`);
const tool = (args: object = {}, name = 'search_companies') =>
  gateway.call('/mcp', {
    method: 'POST',
    ...modernMessage('tools/call', { name, arguments: { query: 'bids', request_key: 'k', ...args } }),
  });
const answering = (outcome: Outcome, over = {}) => {
  operations = async () => answerOf(outcome, over);
};
const refusing = (code: FailureCode) => {
  operations = async () => {
    throw fail(code, 'It is refused.');
  };
};

test.each(['http.server.request.duration', 'ces.call.duration', 'mcp.server.operation.duration'])(
  '%s is the time that calls took',
  async (name) => {
    await countedAs(search);
    await countedAs(tool);
    const durations = (await histogram(name)).map(({ value }) => value.min);
    expect(Math.min(...durations.map(Number))).toBeGreaterThan(0);
    expect(durations).not.toEqual([]);
  },
);

test('answers are counted by surface, action and kind of wait', async () => {
  answering(searched);
  expect(await countedAs(search)).toEqual(['rest company_search front ok']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front ok']);
  expect(await countedAs(() => poll())).toEqual(['rest usage poll ok']);
  expect(await countedAs(() => gateway.call('/mcp', { method: 'POST', ...modernMessage('tools/list') }))).toEqual([
    'mcp protocol front ok',
  ]);
});

test('an acceptance is late where a result was waited for, and well where it was asked for', async () => {
  answering(PENDING);
  expect(await countedAs(search)).toEqual(['rest company_search front late']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front late']);
  expect(await countedAs(() => search({ background: true }))).toEqual(['rest company_search background ok']);
  expect(await countedAs(() => tool({ background: true }))).toEqual(['mcp company_search background ok']);
  expect(await countedAs(() => poll(42))).toEqual(['rest usage poll ok']);
});

test('a fault of ours is ours on MCP too, whose status is 200, and where the status is one of refusals', async () => {
  refusing(FailureCode.SERVICE_UNAVAILABLE);
  expect(await countedAs(search)).toEqual(['rest company_search front ours']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front ours']);
  operations = async () => {
    throw new Error('it broke');
  };
  expect(await countedAs(tool)).toEqual(['mcp company_search front ours']);
  answering(failed(FailureCode.SEARCH_FAILED));
  expect(await countedAs(search)).toEqual(['rest company_search front ours']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front ours']);
});

test('a replayed failure was already counted when it happened', async () => {
  answering(failed(FailureCode.SEARCH_FAILED), { replayed: true });
  expect(await countedAs(search)).toEqual(['rest company_search front ok']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front ok']);
  expect(await countedAs(() => poll(43))).toEqual(['rest usage poll ok']);
});

test('invalid requests and rate limits do not count as faults of the service', async () => {
  expect(await countedAs(() => search({ query: 1 }))).toEqual(['rest company_search front client']);
  expect(await countedAs(() => tool({ query: 1 }))).toEqual(['mcp company_search front client']);
  expect(await countedAs(() => tool({}, 'no_such_tool'))).toEqual(['mcp protocol front client']);
  const listing = modernMessage('tools/list', { cursor: null });
  expect(await countedAs(() => gateway.call('/mcp', { method: 'POST', ...listing }))).toEqual([
    'mcp protocol front client',
  ]);
  const handshake = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: { sampling: null } } };
  expect(await countedAs(() => gateway.call('/mcp', { method: 'POST', json: handshake }))).toEqual([
    'mcp protocol front client',
  ]);
  const unknown = { headers: { authorization: 'Bearer ces_live_nobody' } };
  expect(await countedAs(() => gateway.call('/api/usage', unknown))).toEqual(['rest allowance front client']);
  refusing(FailureCode.REQUEST_LIMIT_REACHED);
  expect(await countedAs(search)).toEqual(['rest company_search front limited']);
  expect(await countedAs(tool)).toEqual(['mcp company_search front limited']);
});

test('one call in flight too many of an account is a limit of its own, although its status is 503', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  operations = async () => {
    enter();
    await released;
    return answerOf(searched);
  };
  const first = search();
  await entered;
  expect(await countedAs(search)).toEqual(['rest company_search front limited']);
  release();
  expect((await first).status).toBe(200);
});
