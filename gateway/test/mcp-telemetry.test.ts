import { type Attributes, metrics, SpanStatusCode, trace } from '@opentelemetry/api';
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, searched } from '../test-support/peers.ts';

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const reader = new Reader();
const spans = new InMemorySpanExporter();
let gateway: TestGateway;

beforeAll(async () => {
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  gateway = await startGateway({ operations: { submitCompanySearch: () => ({ answer: answerOf(searched) }) } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  metrics.disable();
  trace.disable();
});
beforeEach(() => spans.reset());

const NETWORK = { 'network.protocol.name': 'http', 'network.protocol.version': '1.1', 'network.transport': 'tcp' };
const COMMON = { 'mcp.protocol.version': '2026-07-28', ...NETWORK };
const TOOL = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search_companies' };
const GOOD = { query: 'bids', request_key: 'k' };

async function send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const response = await gateway.call('/mcp', { method: 'POST', ...modernMessage(method, params) });
  await response.text();
}

async function measured(): Promise<readonly Attributes[]> {
  const { resourceMetrics } = await reader.collect();
  const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
  const duration = all.find(({ descriptor }) => descriptor.name === 'mcp.server.operation.duration');
  expect(duration?.descriptor.unit).toBe('s');
  return duration?.dataPointType === DataPointType.HISTOGRAM
    ? duration.dataPoints.map(({ attributes }) => attributes)
    : [];
}

test.each<[string, string, object, Attributes]>([
  ['a list', 'tools/list', {}, { 'mcp.method.name': 'tools/list' }],
  [
    'a tool call',
    'tools/call',
    { name: 'search_companies', arguments: GOOD },
    { 'mcp.method.name': 'tools/call', ...TOOL },
  ],
  [
    'a refusal of a tool',
    'tools/call',
    { name: 'search_companies', arguments: { ...GOOD, limit: 0 } },
    { 'mcp.method.name': 'tools/call', ...TOOL, 'error.type': 'tool_error' },
  ],
  [
    'a tool that does not exist',
    'tools/call',
    { name: `nothing-${Date.now()}`, arguments: {} },
    { 'mcp.method.name': 'tools/call', 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
  ],
  [
    'a method that does not exist',
    'nothing/there',
    {},
    { 'mcp.method.name': '_OTHER', 'error.type': '-32601', 'rpc.response.status_code': '-32601' },
  ],
])(
  '%s is measured by the conventions, without values that a client makes up',
  async (_what, method, params, expected) => {
    await send(method, { ...params });
    expect(await measured()).toContainEqual({ ...expected, ...COMMON });
  },
);

test.each<[string, object, Attributes, SpanStatusCode]>([
  ['a result', GOOD, {}, SpanStatusCode.UNSET],
  ['a refusal', { ...GOOD, limit: 0 }, { 'error.type': 'tool_error' }, SpanStatusCode.ERROR],
])('the span of %s has the same attributes and the id of the request', async (_what, args, expected, code) => {
  await send('tools/call', { name: 'search_companies', arguments: args });
  const span = spans.getFinishedSpans().find(({ name }) => name === 'tools/call search_companies');
  expect(span?.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'jsonrpc.request.id': '1',
    'ces.request_id': expect.any(String),
    ...TOOL,
    ...COMMON,
    ...expected,
  });
  expect(span?.status.code).toBe(code);
});
