import { once } from 'node:events';
import http2 from 'node:http2';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../test-support/accept-tokens.ts';
import { FailureCode, fail, failureOf } from '../failure.ts';
import { createLogger } from '../telemetry/log.ts';
import { ANYONE } from './caller.ts';
import { createRpcClient, withinDeadline } from './client.ts';
import { MAX_MESSAGE_BYTES } from './message-size.ts';
import { startRpcServer } from './server.ts';

const AT_ONCE = 10;

type Behaviour = (context: HandlerContext, method: string) => Promise<void> | void;

async function startServer(behave: Behaviour, answerBytes = 0) {
  const answer = (method: string) => async (_request: unknown, context: HandlerContext) => {
    await behave(context, method);
    return {};
  };
  const authenticate = answer('authenticate');
  return await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => {
      router.service(LedgerService, {
        getAllowance: answer('getAllowance'),
        settle: answer('settle'),
        authenticate: async (request, context) => {
          await authenticate(request, context);
          return { principal: { plan: 'x'.repeat(answerBytes) } };
        },
      });
      router.service(RecordService, { recordEvidence: answer('recordEvidence') });
      router.service(SearchAdminService, { rebuildIndex: answer('rebuildIndex') });
    },
    callers: Object.fromEntries(
      [LedgerService, RecordService, SearchAdminService].map((service) => [service.typeName, { '*': [ANYONE] }]),
    ),
    callerTokens: acceptTokens({}),
    requestSizes: { [RecordService.typeName]: { '*': MAX_MESSAGE_BYTES } },
    logger: createLogger('test', 'silent'),
  });
}

test.each([1, 2])(
  'a peer that loses one call in %i gets at most a tenth more, after a first burst of retries',
  async (everyOther) => {
    let arrived = 0;
    await using server = await startServer(() => {
      arrived += 1;
      if (arrived % everyOther === 0) throw new ConnectError('shutting down', Code.Unavailable);
    });
    const client = createRpcClient(LedgerService, { url: server.url, timeoutMs: 10_000 });
    const calls = volumeOf(300, 10_000);
    let failed = 0;
    for (let made = 0; made < calls; made += AT_ONCE) {
      const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => client.getAllowance({})));
      failed += outcomes.filter(({ status }) => status === 'rejected').length;
    }
    expect(failed).toBeGreaterThan(0);
    expect(arrived).toBeGreaterThan(calls);
    expect(arrived).toBeLessThanOrEqual(calls * 1.1 + 20);
  },
  VOLUME_TIMEOUT_MS,
);

test('an undelivered request is retried only where the method is idempotent', async () => {
  let arrived: string[] = [];
  await using server = await startServer((_, method) => {
    arrived.push(method);
    if (arrived.length === 1) throw new ConnectError('lost', Code.Unavailable);
  });
  const options = { url: server.url, timeoutMs: 5_000 };
  const ledger = createRpcClient(LedgerService, options);
  await ledger.settle({ operationId: 1n });
  expect(arrived).toEqual(['settle', 'settle']);
  arrived = [];
  await expect(createRpcClient(SearchAdminService, options).rebuildIndex({})).rejects.toThrow('try again');
  expect(arrived).toEqual(['rebuildIndex']);
});

test.each([Code.InvalidArgument, Code.Internal, Code.ResourceExhausted, Code.FailedPrecondition])(
  'a peer that answered, with code %i, is not asked again',
  async (code) => {
    let arrived = 0;
    await using server = await startServer(() => {
      arrived += 1;
      throw new ConnectError('no', code);
    });
    const client = createRpcClient(LedgerService, { url: server.url, timeoutMs: 5_000 });
    await expect(client.getAllowance({})).rejects.toMatchObject({ code });
    expect(arrived).toBe(1);
  },
);

test('a peer whose own peer is away is not asked again: retries do not multiply from hop to hop', async () => {
  let arrived = 0;
  await using server = await startServer(() => {
    arrived += 1;
    throw fail(FailureCode.SERVICE_UNAVAILABLE, 'away');
  });
  const client = createRpcClient(LedgerService, { url: server.url, timeoutMs: 5_000 });
  await client.getAllowance({}).catch((error) => expect(failureOf(error)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE));
  expect(arrived).toBe(1);
  await using middle = await startServer(async () => void (await client.getAllowance({})));
  const outer = createRpcClient(LedgerService, { url: middle.url, timeoutMs: 5_000 });
  await expect(outer.getAllowance({})).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: 'away' });
  expect(arrived).toBe(2);
});

test('every call has a deadline, and each hop leaves its caller less than its own', async () => {
  const left: (number | undefined)[] = [];
  await using last = await startServer((context) => void left.push(context.timeoutMs()));
  const onward = createRpcClient(LedgerService, { url: last.url, timeoutMs: 60_000 });
  await using first = await startServer(async (context) => {
    left.push(context.timeoutMs());
    await onward.getAllowance({}, withinDeadline(context, 30_000));
  });
  await createRpcClient(LedgerService, { url: first.url, timeoutMs: 2_000 }).getAllowance({});
  await onward.getAllowance({});
  const [atFirst = 0, atLast = 0, byDefault = 0] = left;
  expect(atFirst).toBeLessThanOrEqual(2_000);
  expect(atLast).toBeLessThanOrEqual(atFirst - 50);
  expect(atLast).toBeGreaterThan(0);
  expect(byDefault).toBeGreaterThan(30_000);
  expect(byDefault).toBeLessThanOrEqual(60_000);
});

test('a call that outlives its deadline is an outage at the caller, and is aborted at the callee', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  await using server = await startServer(async ({ signal }) => {
    signal.addEventListener('abort', () => resolve());
    await aborted;
  });
  const call = createRpcClient(LedgerService, { url: server.url, timeoutMs: 100 }).getAllowance({});
  await expect(call).rejects.toMatchObject({ message: expect.stringContaining('try again') });
  await aborted;
});

test('a message above the bound is neither sent nor read nor answered', async () => {
  let arrived = 0;
  await using server = await startServer(() => {
    arrived += 1;
  }, MAX_MESSAGE_BYTES + 1);
  const options = { url: server.url, timeoutMs: 10_000 };
  const big = createRpcClient(RecordService, options).recordEvidence({ source: 'x'.repeat(MAX_MESSAGE_BYTES + 1) });
  await expect(big).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await announce(server.url, MAX_MESSAGE_BYTES + 1)).toBe(String(Code.ResourceExhausted));
  expect(arrived).toBe(0);
  const answer = createRpcClient(LedgerService, options).authenticate({ bearer: 'b' });
  await expect(answer).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(arrived).toBe(1);
});

test('every method has its own bound on the size of its request', async () => {
  let arrived = 0;
  await using server = await startServer(() => {
    arrived += 1;
  });
  const bearer = 'x'.repeat(2 * 1024 * 1024);
  const small = createRpcClient(LedgerService, { url: server.url, timeoutMs: 10_000 }).authenticate({ bearer });
  await expect(small).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(arrived).toBe(0);
  await createRpcClient(RecordService, { url: server.url, timeoutMs: 10_000 }).recordEvidence({ source: bearer });
  expect(arrived).toBe(1);
});

async function announce(url: string, bytes: number): Promise<unknown> {
  const session = http2.connect(url);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${RecordService.typeName}/RecordEvidence`,
    'content-type': 'application/grpc+proto',
    te: 'trailers',
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes, 1);
  stream.write(prefix);
  const [headers] = await once(stream, 'response');
  session.destroy();
  return headers['grpc-status'];
}
