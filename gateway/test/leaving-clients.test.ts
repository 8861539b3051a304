import { once } from 'node:events';
import net from 'node:net';
import { someOf } from '@ces/test/support/volume.ts';
import { metrics } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../test-support/gateway.ts';
import { modernMessage } from '../test-support/mcp-client.ts';
import { answerOf, identityOf, searched, TOKEN } from '../test-support/peers.ts';

const SEARCH = '/api/companies/search';
const search = { method: 'POST', requestKey: 'k', json: { query: 'bids' } };

interface Sent {
  readonly head: string;
  readonly body: string;
}

function post(path: string, json: unknown, headers: Readonly<Record<string, string>>): Sent {
  const body = JSON.stringify(json);
  const all = { host: '127.0.0.1', authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries({ ...all, 'content-length': String(body.length) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return { head: `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, body };
}

const tool = modernMessage('tools/call', {
  name: 'search_companies',
  arguments: { request_key: 'k', query: 'bids' },
});
const CALLS = {
  REST: post(SEARCH, search.json, { 'idempotency-key': 'k' }),
  MCP: post('/mcp', tool.json, { accept: 'application/json, text/event-stream', ...tool.headers }),
} as const;
const ways = ['FIN', 'RST'] as const;

/** Has only one slot. Ledger and operations answer unless they are blocked. */
async function startSmallGateway() {
  const blocked: Record<'ledger' | 'operations', PromiseWithResolvers<void> | undefined> = {
    ledger: undefined,
    operations: undefined,
  };
  const entered = { ledger: 0, operations: 0 };
  const gateway = await startGateway(
    {
      ledger: {
        authenticate: async ({ bearer }) => {
          entered.ledger += 1;
          await blocked.ledger?.promise;
          return identityOf(bearer);
        },
      },
      operations: {
        submitCompanySearch: async () => {
          entered.operations += 1;
          await blocked.operations?.promise;
          return { answer: answerOf(searched) };
        },
        getOperation: () => ({ answer: answerOf(searched) }),
      },
    },
    {
      config: {
        accountCallsInFlight: 1,
        maxInFlightCalls: 1,
        pollsPerSecond: 1,
        rejectionDelayMs: 200,
        authenticationFreshMs: 0,
      },
    },
  );
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return {
    gateway,
    entered,
    block(peer: keyof typeof blocked): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      blocked[peer] = { promise, resolve, reject: () => undefined };
      return () => {
        blocked[peer] = undefined;
        resolve();
      };
    },
  };
}

type SmallGateway = Awaited<ReturnType<typeof startSmallGateway>>;

async function connect({ gateway }: SmallGateway): Promise<net.Socket> {
  const socket = net.connect(gateway.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.resume();
  return socket;
}

/** Disconnects, and waits until the event loop of the gateway has seen it. */
async function leave(socket: net.Socket, way: (typeof ways)[number], { gateway }: SmallGateway): Promise<void> {
  const closed = once(socket, 'close');
  if (way === 'RST') socket.resetAndDestroy();
  else socket.destroy();
  await closed;
  for (let turn = 0; turn < 2; turn += 1) await (await fetch(gateway.url)).arrayBuffer();
}

/** Expects exactly one free slot: none leaked, and none was released twice. */
async function expectNoSlotTaken({ gateway, entered, block }: SmallGateway): Promise<void> {
  await expect.poll(async () => (await gateway.call(SEARCH, search)).status).toBe(200);
  const unblock = block('operations');
  const before = entered.operations;
  const first = gateway.call(SEARCH, search);
  await expect.poll(() => entered.operations).toBe(before + 1);
  expect((await gateway.call(SEARCH, search)).status).toBe(503);
  unblock();
  expect((await first).status).toBe(200);
}

const cases = [
  ['REST', 'FIN'],
  ['REST', 'RST'],
  ['MCP', 'RST'],
  ['MCP', 'FIN'],
] as const;

test.each(someOf(cases, 2))(
  '%s: a client that leaves by %s while it is authenticated leaves no slot taken',
  async (surface, way) => {
    const { head, body } = CALLS[surface];
    for (const sent of [head, head + body.slice(0, 5), head + body]) {
      const small = await startSmallGateway();
      const unblock = small.block('ledger');
      const socket = await connect(small);
      socket.write(sent);
      await expect.poll(() => small.entered.ledger).toBe(1);
      await leave(socket, way, small);
      unblock();
      await expectNoSlotTaken(small);
    }
  },
);

test.each(someOf(cases, 2))(
  '%s: a client that leaves by %s inside its head or body leaves no slot taken',
  async (surface, way) => {
    const small = await startSmallGateway();
    const { head, body } = CALLS[surface];
    for (const sent of [head.slice(0, 40), head, head + body.slice(0, 5)]) {
      const socket = await connect(small);
      socket.write(sent);
      await (await fetch(small.gateway.url)).arrayBuffer();
      await leave(socket, way, small);
      await expectNoSlotTaken(small);
    }
  },
);

test.each(someOf(cases, 2))(
  '%s: a client that leaves by %s while its call is worked on leaves no slot taken after that',
  async (surface, way) => {
    const small = await startSmallGateway();
    const unblock = small.block('operations');
    const { head, body } = CALLS[surface];
    const socket = await connect(small);
    // Pipelines two calls; the rejection of the second waits for the answer to the first.
    socket.write(head + body + head + body);
    await expect.poll(() => small.entered.operations).toBe(1);
    await leave(socket, way, small);
    expect((await small.gateway.call(SEARCH, search)).status).toBe(503);
    unblock();
    await expectNoSlotTaken(small);
  },
);

test.each(someOf(cases, 2))(
  '%s: a client that leaves by %s while it is answered leaves no slot taken',
  async (surface, way) => {
    const small = await startSmallGateway();
    const { head, body } = CALLS[surface];
    const socket = await connect(small);
    socket.write(head + body);
    await once(socket, 'data');
    await leave(socket, way, small);
    await expectNoSlotTaken(small);
  },
);

test.each(ways)('a client that leaves by %s while its rejection is delayed leaves no slot taken', async (way) => {
  const small = await startSmallGateway();
  expect((await small.gateway.call('/api/usages/1')).status).toBe(200);
  const socket = await connect(small);
  socket.write(`GET /api/usages/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`);
  await leave(socket, way, small);
  await expectNoSlotTaken(small);
});

test('a call that is rejected frees its slot before the rejection is delayed', async () => {
  const small = await startSmallGateway();
  const { gateway } = small;
  const unblock = small.block('operations');
  const statuses: number[] = [];
  const both = [gateway.call('/api/usages/1'), gateway.call('/api/usages/1'), gateway.call('/api/usages/1')];
  for (const answer of both) statuses.push((await answer).status);
  unblock();
  expect(statuses).toContain(200);
  await expectNoSlotTaken(small);
});

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}

  /** The sum of all data points of a metric: its value, or the count of a histogram. */
  async sumOf(name: string): Promise<number> {
    const { resourceMetrics } = await this.collect();
    const found = resourceMetrics.scopeMetrics
      .flatMap((scope) => scope.metrics)
      .find((one) => one.descriptor.name === name);
    const values = (found?.dataPoints ?? []).map(({ value }) =>
      typeof value === 'number' ? value : (value as { count: number }).count,
    );
    return values.reduce((sum, value) => sum + value, 0);
  }
}

test('a request of a client that left is no more active, is timed, and counts as a call', async () => {
  const reader = new Reader();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  onTestFinished(() => metrics.disable());
  const small = await startSmallGateway();
  const unblock = small.block('ledger');
  const { head, body } = CALLS.REST;
  const socket = await connect(small);
  socket.write(head + body);
  await expect.poll(() => small.entered.ledger).toBe(1);
  expect(await reader.sumOf('http.server.active_requests')).toBe(1);
  await leave(socket, 'RST', small);
  await expect.poll(() => reader.sumOf('http.server.active_requests')).toBe(0);
  expect(await reader.sumOf('ces.call.duration')).toBe(1);
  // Its own request and the two of `leave`.
  expect(await reader.sumOf('http.server.request.duration')).toBe(3);
  unblock();
});
