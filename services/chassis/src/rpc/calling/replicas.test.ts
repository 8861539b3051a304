import dns from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { startProxy } from '@ces/test/support/faulty-proxy.ts';
import { seeded } from '@ces/test/support/random.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { acceptTokens } from '../../../test-support/accept-tokens.ts';
import { createLogger } from '../../telemetry/log.ts';
import { ANYONE } from '../caller.ts';
import { createRpcClient } from '../client.ts';
import { startRpcServer } from '../server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function startLedger(answer: () => void, at: { readonly host?: string; readonly port?: number } = {}) {
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) =>
      router.service(LedgerService, {
        getAllowance: () => {
          answer();
          return {};
        },
      }),
    callers: { [LedgerService.typeName]: { '*': [ANYONE] } },
    callerTokens: acceptTokens({}),
    logger: createLogger('test', 'silent'),
    ...at,
  });
}

function clientOf(url: string, timeoutMs = 5_000) {
  return createRpcClient(LedgerService, { url, timeoutMs });
}

/** Resolves `name` as DNS resolves a headless Service: to the addresses of the ready pods. */
function resolveTo(name: string, addresses: () => readonly string[]): void {
  const lookup = dns.promises.lookup;
  const stub = async (asked: string, options: dns.LookupAllOptions) =>
    asked === name ? addresses().map((address) => ({ address, family: 4 })) : await lookup(asked, options);
  vi.spyOn(dns.promises, 'lookup').mockImplementation(stub as typeof dns.promises.lookup);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

test('calls rotate over the replicas of a name, and a new one is used when a connection ends', async () => {
  const seen = [0, 0, 0];
  const count = (at: number) => () => {
    seen[at] = (seen[at] ?? 0) + 1;
  };
  await using first = await startLedger(count(0));
  const port = portOf(first.url);
  await using second = await startLedger(count(1), { host: '127.0.0.2', port });
  await using third = await startLedger(count(2), { host: '127.0.0.3', port });
  expect([second.url, third.url]).toEqual([`http://127.0.0.2:${port}`, `http://127.0.0.3:${port}`]);
  let addresses = ['127.0.0.1', '127.0.0.2'];
  resolveTo('ledger.test', () => addresses);
  const client = clientOf(`http://ledger.test:${port}`);
  const call = async (times: number) => {
    for (let made = 0; made < times; made += 1) await client.getAllowance({});
  };
  const callAndSee = async () => {
    await call(1);
    return seen.filter((calls) => calls > 0).length;
  };
  await expect.poll(callAndSee).toBe(2);
  seen.fill(0);
  await call(100);
  expect(seen).toEqual([50, 50, 0]);
  addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
  first.drain();
  await expect.poll(callAndSee).toBe(3);
  seen.fill(0);
  await call(90);
  expect(seen).toEqual([30, 30, 30]);
});

test('a call of a process that starts before its peer waits for it a moment only', async () => {
  const probe = await startLedger(() => undefined);
  const port = portOf(probe.url);
  await probe[Symbol.asyncDispose]();
  const early = clientOf(probe.url);
  const answer = early.getAllowance({});
  await pause(300);
  await using server = await startLedger(() => undefined, { port });
  await answer;
  await server[Symbol.asyncDispose]();
  await expect(clientOf(probe.url, 20_000).getAllowance({})).rejects.toThrow('try again');
});

test('a replica that goes silent loses its share, and no call fails but those that it had', async () => {
  let answeredBySecond = 0;
  await using first = await startLedger(() => undefined);
  const port = portOf(first.url);
  await using proxy = await startProxy(port, seeded('silence'));
  const count = () => {
    answeredBySecond += 1;
  };
  await using second = await startLedger(count, { host: '127.0.0.2', port: proxy.port });
  expect(second.url).toContain('127.0.0.2');
  resolveTo('ledger.test', () => ['127.0.0.1', '127.0.0.2']);
  const client = clientOf(`http://ledger.test:${proxy.port}`, 60_000);
  const call = () => client.getAllowance({});
  for (let made = 0; made < 20; made += 1) await call();
  proxy.fault = { kind: 'half open' };
  await Promise.all([call(), call(), call(), call()]);
  answeredBySecond = 0;
  for (let made = 0; made < 20; made += 1) await call();
  expect(answeredBySecond).toBe(20);
});
