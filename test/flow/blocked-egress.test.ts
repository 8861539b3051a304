import dns from 'node:dns';
import net from 'node:net';
import { type LocalProxy, startProxy } from '@ces/acquisition/test-support/local-proxy';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { lookUpEverything } from '../support/look-ups.ts';
import { facilities, type Recorded, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

let proxy: LocalProxy;
let source: net.Server;
let stack: TestStack;
let recorded: Recorded;
let reached = 0;

/**
 * The stack may ask a source during a search, but only its own services and a proxy that refuses
 * every call are reachable.
 */
beforeAll(async () => {
  proxy = await startProxy('refuse');
  source = net.createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const { port } = source.address() as net.AddressInfo;
  stack = await startTestStack({
    env: { CES_ACQUISITION_ON_DEMAND: 'true', CES_OPERATIONS_ACQUIRE_WAITED_MS: '2000' },
    acquisition: {
      CES_ACQUISITION_PROXY: proxy.url,
      CES_ACQUISITION_ALLOWED_ADDRESSES: `127.0.0.1:${port}`,
      CES_ACQUISITION_MIRRORS: `api.sam.gov=http://127.0.0.1:${port}`,
      CES_SOURCE_SECRETS: 'sam_api.api_key=of-this-test',
    },
  });
  await stack.acquisitionAdmin.setSource({ name: 'sam_api', enabled: true });
  const { companies, observations } = facilities(2, 'packing hall');
  recorded = await recordEvidence(stack, companies, observations);
});
afterAll(async () => {
  await stack[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  source.close();
});

let tried: Tried;
beforeEach(() => {
  tried = watchConnections();
});
afterEach(() => tried[Symbol.dispose]());

interface Tried extends Disposable {
  /**
   * `host:port` of every outside connection attempt or name lookup of this process, which runs all
   * services.
   */
  outside(): string[];
}

function watchConnections(): Tried {
  const connections = vi.spyOn(net.Socket.prototype, 'connect');
  const names = [vi.spyOn(dns, 'lookup'), vi.spyOn(dns.promises, 'lookup')];
  return {
    outside: () => [
      ...new Set(
        connections.mock.calls
          .map((given) => targetOf(given))
          .filter((one) => !isOwn(one))
          .map(({ host, port }) => `${host}:${port}`),
      ),
      ...names.flatMap((spy) => spy.mock.calls.map(([name]) => String(name))).filter((name) => !isNowhere(name)),
    ],
    [Symbol.dispose]: () => vi.restoreAllMocks(),
  };
}

const LOCAL: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);

interface Target {
  readonly host: string;
  readonly port: number;
}

/** `net` passes its arguments to `connect` as given, or wrapped in one array. */
function targetOf(given: readonly unknown[]): Target {
  const [first] = given.flat(1);
  const { host, hostname, port, path } = Object(first) as Record<string, string | number | undefined>;
  return { host: String(path ?? host ?? hostname ?? 'localhost'), port: Number(port ?? first) };
}

/** True for connections to this machine, except to the fake source and the proxy. */
function isOwn({ host, port }: Target): boolean {
  const { port: sourcePort } = source.address() as net.AddressInfo;
  return LOCAL.has(host) && port !== sourcePort && port !== Number(new URL(proxy.url).port);
}

/** Loopback, or a reserved name (RFC 2606 §2) for peers that the stack does not have. */
function isNowhere(name: string): boolean {
  return LOCAL.has(name) || name.endsWith('.invalid');
}

test('look-ups of every sort, with sources switched on and no way out, ask no other host and are answered', async () => {
  const subscriber = await createSubscriber(stack);
  const answers = await lookUpEverything(subscriber, {
    companyId: recorded.companies.c1 ?? 0,
    hostname: 'northwind1.example',
    observationId: recorded.observations.o1 ?? 0,
  });
  expect(answers[0]?.body.lookups.map((one: { status: string }) => one.status)).toEqual(['found', 'not_found']);
  expect(answers[1]?.body.companies).toHaveLength(1);
  expect(tried.outside()).toEqual([]);
  expect({ asked: proxy.asked, reached }).toEqual({ asked: [], reached: 0 });
});

test('a search that is short does try, so the watch would have seen it; it is answered with what is known', async () => {
  const subscriber = await createSubscriber(stack);
  const { status, body } = await subscriber.search({ query: 'packing hall', limit: 5 });
  expect(status).toBe(200);
  expect(body.coverage.limitations).toContain('source_unavailable');
  expect(body.companies).toHaveLength(2);
  expect(tried.outside().length).toBeGreaterThan(0);
  expect(proxy.asked.length).toBeGreaterThan(0);
  expect(reached).toBe(0);
});
