// @module-tag nightly
import type { ClientSessionOptions as Http2ClientSessionOptions } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings } from '@ces/gateway/config';
import { start } from '@ces/gateway/start';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestStack, type TestStack, tokenOf } from '../support/stack.ts';
import { createSubscriber, surface } from '../support/subscriber.ts';

// S15 and limits of the installation: real gateways over one ledger.
const GATEWAYS = 3;
/* Low, so that a slow machine can exceed it too. */
const RATE = { perSecond: 4, burst: 20 };
const LIMITS = {
  CES_CREDENTIAL_CALLS_PER_SECOND: String(RATE.perSecond),
  CES_CREDENTIAL_BURST: String(RATE.burst),
  CES_ADDRESS_FAILURES_PER_SECOND: '5',
  CES_REJECTION_DELAY_MS: '0',
};
const FLOOD_MS = 3_000;
const FAILURES_PER_SECOND = 5;
/**
 * Concurrent bad keys of one address: more than the limit allows while they run, on any machine.
 */
const TOGETHER = 16;

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let gateways: string[];

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: { ...LIMITS, CES_OPERATIONS_SANDBOX_SLOW_MS: '10000' } }));
  gateways = await startGateways({ ...LIMITS, CES_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => cleanup.disposeAsync());

async function startGateways(env: Readonly<Record<string, string>>): Promise<string[]> {
  const config = readSettings(settings, { ...stack.environmentOf('gateway'), ...env });
  const startOne = async () =>
    cleanup.use(await start({ ...config, port: 0, adminPort: 0 }, createLogger('test', 'silent'))).url;
  return await Promise.all(Array.from({ length: GATEWAYS }, startOne));
}

test(`a credential that floods ${GATEWAYS} gateways and operations over gRPC gets the calls of one`, async () => {
  const { token } = await createSubscriber(stack);
  const operations = createRpcClient(OperationsService, {
    url: stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '',
    callerToken: tokenOf('gateway'),
    timeoutMs: 10_000,
  });
  const caller = { identity: { case: 'bearer', value: token } } as const;
  const overGrpc = async () =>
    await operations.getOperation({ caller, operationId: 1n }).then(
      () => 200,
      (error: unknown) => (failureOf(error)?.code === FailureCode.RATE_LIMITED ? 429 : 404),
    );
  const surfaces = [...gateways.map((url) => async () => (await surface(url, token).report()).status), overGrpc];
  const statuses: number[] = [];
  const isFlooded = () => statuses.filter((status) => status === 429).length > 50;
  const begun = performance.now();
  const flood = async (call: () => Promise<number>) => {
    while (performance.now() - begun < FLOOD_MS || !isFlooded()) {
      statuses.push(await call());
      await pause(1);
    }
  };
  await Promise.all(surfaces.flatMap((call) => Array.from({ length: 3 }, () => flood(call))));
  const letIn = statuses.filter((status) => status !== 429).length;
  const may = RATE.burst + (RATE.perSecond * (performance.now() - begun)) / 1_000;
  console.log(`${letIn} of ${statuses.length} calls let in, where one process lets in ${Math.round(may)}`);
  expect(statuses.filter((status) => ![200, 404, 429].includes(status))).toEqual([]);
  expect(letIn / may).toBeGreaterThan(0.8);
  expect(letIn / may).toBeLessThan(1.2);
});

test('bad keys that come together are refused beyond a burst, at whichever gateway, and no good key with them', async () => {
  const good = await Promise.all(Array.from({ length: 5 }, () => createSubscriber(stack)));
  // A separate address: gateways may still hold attempts that good calls returned within the last
  // second.
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const report = (token: string, n: number) =>
    surface(gateways[n % GATEWAYS] ?? '', token).request('GET', '/api/usage', { headers });
  const begun = performance.now();
  const bad = Array.from({ length: 60 }, (_, n) => report(`wrong-${n}`, n));
  const fresh = good.map(({ token }, n) => report(token, n));
  const statuses = (await Promise.all(bad)).map(({ status }) => status);
  const tries = statuses.filter((status) => status === 401).length;
  const may = FAILURES_PER_SECOND * (1 + (performance.now() - begun) / 1_000);
  console.log(`${tries} of 60 were tries, where one process takes ${Math.round(may)} in that time`);
  expect(tries).toBeLessThanOrEqual(may * 1.2);
  expect(tries).toBeGreaterThanOrEqual(FAILURES_PER_SECOND * 0.8);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await Promise.all(fresh)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});

test('while an address sends bad keys without end, no good call from it is refused, of a key known or new', async () => {
  const subscribers = await Promise.all(Array.from({ length: 8 }, () => createSubscriber(stack)));
  const ending = new AbortController();
  const refused: number[] = [];
  const flooding = Promise.all(
    gateways.map(async (url, at) => {
      for (let n = 0; !ending.signal.aborted; n += 1) {
        const together = Array.from({ length: TOGETHER }, (_, one) =>
          surface(url, `ces_live_bad${at}x${n}x${one}`).report(),
        );
        refused.push(...(await Promise.all(together)).map(({ status }) => status));
        await pause(20);
      }
    }),
  );
  await expect.poll(() => refused.filter((status) => status === 429).length).toBeGreaterThan(0);
  const answers: number[] = [];
  for (let n = 0; n < 64; n += 1) {
    const { token } = subscribers[n % subscribers.length] ?? { token: '' };
    answers.push((await surface(gateways[n % GATEWAYS] ?? '', token).report()).status);
  }
  ending.abort();
  await flooding;
  console.log(`${refused.length} bad keys, ${refused.filter((status) => status === 429).length} of them 429`);
  expect(answers.filter((status) => status !== 200)).toEqual([]);
});

/** A gRPC client without a caller token, connecting from `localAddress`. */
function strangerAt(localAddress: string) {
  const baseUrl = stack.environmentOf('gateway').CES_OPERATIONS_URL ?? '';
  const nodeOptions = { localAddress } as Http2ClientSessionOptions;
  const client = createClient(
    OperationsService,
    createGrpcTransport({ baseUrl, nodeOptions, defaultTimeoutMs: 10_000 }),
  );
  return async (bearer: string, where: 'headers' | 'message') => {
    const request = {
      operationId: 1n,
      ...(where === 'message' && { caller: { identity: { case: 'bearer', value: bearer } as const } }),
    };
    const headers = where === 'headers' ? { authorization: `Bearer ${bearer}` } : {};
    const failure = await client.getOperation(request, { headers }).then(() => undefined, failureOf);
    return Object.entries(FailureCode).find(([, code]) => code === failure?.code)?.[0] ?? 'none';
  };
}

test.each([
  ['headers', ['127.0.0.2', '127.0.0.3', '127.0.0.4']],
  ['message', ['127.0.0.5', '127.0.0.6', '127.0.0.7']],
] as const)(
  'a stranger who floods operations with bad keys over gRPC, in %s, uses up the tries of no other address',
  async (where, addresses) => {
    const [flood, other, third] = addresses.map((address) => strangerAt(address));
    const { token } = await createSubscriber(stack);
    const ending = new AbortController();
    const codes: (string | undefined)[] = [];
    const flooding = (async () => {
      for (let n = 0; !ending.signal.aborted; n += 1) {
        const together = Array.from({ length: TOGETHER }, (_, one) => flood?.(`ces_live_bad${n}x${one}`, where));
        codes.push(...(await Promise.all(together)));
        await pause(10);
      }
    })();
    await expect.poll(() => codes.filter((code) => code === 'RATE_LIMITED').length).toBeGreaterThan(20);
    for (let n = 0; n < FAILURES_PER_SECOND - 1; n += 1) {
      expect(await other?.(`ces_live_typo${n}`, where)).toBe('INVALID_API_KEY');
      expect(await third?.(token, where)).toBe('USAGE_NOT_FOUND');
      expect(await flood?.(token, where)).toBe('USAGE_NOT_FOUND');
    }
    ending.abort();
    await flooding;
    console.log(
      `${codes.length} bad keys, ${codes.filter((code) => code === 'RATE_LIMITED').length} of them RATE_LIMITED`,
    );
    expect(new Set(codes)).toEqual(new Set(['INVALID_API_KEY', 'RATE_LIMITED']));
  },
);

test('calls in flight are counted per account over all gateways', async () => {
  const { token } = await createSubscriber(stack, { plan: 'builder', testMode: true });
  const narrow = await startGateways({ ...LIMITS, CES_ACCOUNT_CALLS_IN_FLIGHT: '4' });
  const slow = Array.from({ length: 12 }, (_, n) =>
    surface(narrow[n % GATEWAYS] ?? '', token).search({ query: 'sandbox:slow' }),
  );
  const statuses = (await Promise.all(slow)).map(({ status }) => status);
  console.log(`statuses of 12 slow calls at once, where 4 may be in flight: ${statuses.join(', ')}`);
  // A gateway that has not seen an account admits its first call before it asks: at most one for
  // each gateway.
  const letIn = statuses.filter((status) => status < 300).length;
  expect(letIn).toBeGreaterThanOrEqual(4);
  expect(letIn).toBeLessThanOrEqual(4 + GATEWAYS - 1);
});
