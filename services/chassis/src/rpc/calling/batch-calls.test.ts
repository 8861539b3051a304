import { setTimeout as pause } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import {
  LedgerService,
  type PostingAnswer,
  type PostRequest,
  type SettleRequest,
  type SettleRequestSchema,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { startProxy } from '@ces/test/support/faulty-proxy.ts';
import { seeded } from '@ces/test/support/random.ts';
import { VOLUME_TIMEOUT_MS, volumeOf } from '@ces/test/support/volume.ts';
import { type Client, Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { acceptTokens } from '../../../test-support/accept-tokens.ts';
import { recordTraces } from '../../../test-support/recorded-traces.ts';
import { FailureCode, fail, failureOf } from '../../failure.ts';
import { createLogger } from '../../telemetry/log.ts';
import { inSpan } from '../../telemetry/span.ts';
import { createRpcClient } from '../client.ts';
import { startRpcServer } from '../server.ts';
import { createStreamBatchResults } from '../serving/stream-batch-results.ts';
import { type BatchedCallOptions, batchCalls } from './batch-calls.ts';

const logger = createLogger('test', 'silent');

interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly client: Client<typeof LedgerService>;
  clientAt(url: string): Client<typeof LedgerService>;
  readonly calls: bigint[][];
}

interface PeerOptions {
  /** Called after each message of a batch; an exception breaks the call off. */
  readonly sent?: () => void;
}

async function startPeer(
  settle: (id: bigint) => Promise<void>,
  { sent = () => undefined }: PeerOptions = {},
): Promise<Peer> {
  const calls: bigint[][] = [];
  const streamBatchResults = createStreamBatchResults(logger);
  const settleOne = async ({ operationId }: SettleRequest) => {
    await settle(operationId);
    return { allowance: { windowRemaining: operationId } };
  };
  const answerOne = async (request: SettleRequest) => ({ case: 'settle' as const, value: await settleOne(request) });
  const single: Partial<ServiceImpl<typeof LedgerService>> = {
    settle: async (request) => {
      calls.push([request.operationId]);
      return await settleOne(request);
    },
  };
  async function* post({ postings }: PostRequest, context: Parameters<typeof streamBatchResults>[1]) {
    const requests = postings.map(({ posting }) => posting.value as SettleRequest);
    calls.push(requests.map(({ operationId }) => operationId));
    for await (const answers of streamBatchResults(requests, context, answerOne)) {
      yield { answers };
      sent();
    }
  }
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: (router) => void router.service(LedgerService, { ...single, post }),
    callers: { 'ces.ledger.v1.LedgerService': { '*': ['operations'] } },
    callerTokens: acceptTokens({ operations: 'token' }),
    logger,
  });
  const clientAt = (url: string) => createRpcClient(LedgerService, { url, callerToken: 'token', timeoutMs: 5_000 });
  const { url } = server;
  return { client: clientAt(url), clientAt, url, calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function batcherOf(peer: Pick<Peer, 'client'>) {
  const settlements = batchSettlements(peer);
  return { call: (id: bigint, options: BatchedCallOptions) => settlements({ operationId: id }, options) };
}

function batchSettlements({ client }: Pick<Peer, 'client'>) {
  const toBatchAnswer = ({ index, answer }: PostingAnswer) =>
    answer.case === 'settle'
      ? { index, answer: answer.value.allowance?.windowRemaining }
      : { index, refusal: answer.value as Refusal };
  return batchCalls<MessageInitShape<typeof SettleRequestSchema>, bigint | undefined>({
    typeName: LedgerService.typeName,
    callOne: async (request, options) => (await client.settle(request, options)).allowance?.windowRemaining,
    callBatch: async function* (requests, options) {
      const postings = requests.map((value) => ({ posting: { case: 'settle', value } as const }));
      for await (const { answers } of client.post({ postings }, options)) yield answers.map(toBatchAnswer);
    },
  });
}

const IN_TIME = { timeoutMs: 5_000 };

function breakOff(): never {
  throw new ConnectError('this process ends', Code.Unavailable);
}

async function slowerByNumber(id: bigint): Promise<void> {
  for (let turns = 0n; turns < id * 10n; turns += 1n) await new Promise((resolve) => setImmediate(resolve));
}

test('a single request has its own call; requests made while none is answered share the next one', async () => {
  const gate = Promise.withResolvers<void>();
  await using peer = await startPeer((id) => (id === 2n ? gate.promise : Promise.resolve()));
  const batcher = batcherOf(peer);
  expect(await batcher.call(1n, IN_TIME)).toBe(1n);
  const blocked = batcher.call(2n, IN_TIME);
  await expect.poll(() => peer.calls.length).toBe(2);
  const others = [3n, 4n, 5n].map((id) => batcher.call(id, IN_TIME));
  expect(await Promise.all(others)).toEqual([3n, 4n, 5n]);
  gate.resolve();
  expect(await blocked).toBe(2n);
  expect(peer.calls).toEqual([[1n], [2n], [3n, 4n, 5n]]);
});

test('requests after an unanswered call wait a moment once, and then not at all', async () => {
  const sent: bigint[] = [];
  const quick = batchCalls<bigint, bigint>({
    typeName: 'test',
    callOne: async (id) => {
      sent.push(id);
      return id === 1n ? await new Promise<never>(() => {}) : id;
    },
    callBatch: () => Promise.reject(new Error('nothing came together')) as never,
  });
  void quick(1n, IN_TIME).catch(() => undefined);
  await pause(50);
  void quick(2n, IN_TIME);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(sent).toEqual([1n, 2n]);
});

test('each has its own answer, as soon as it is known, and its own refusal', async () => {
  const gate = Promise.withResolvers<void>();
  await using peer = await startPeer(async (id) => {
    if (id === 1n) await gate.promise;
    if (id === 2n) throw fail(FailureCode.RATE_LIMITED, 'too many', { retryAfterSeconds: 7 });
    if (id === 3n) throw new Error('a bug, and its text');
  });
  const batcher = batcherOf(peer);
  const [slow, refused, broken, good] = [1n, 2n, 3n, 4n].map((id) => batcher.call(id, IN_TIME));
  expect(await good).toBe(4n);
  const error: unknown = await refused?.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: Code.ResourceExhausted, rawMessage: 'too many' });
  expect(failureOf(error)).toMatchObject({ code: FailureCode.RATE_LIMITED, retryAfterSeconds: 7n });
  await expect(broken).rejects.toMatchObject({ code: Code.Internal, rawMessage: 'internal error' });
  gate.resolve();
  expect(await slow).toBe(1n);
  expect(peer.calls).toEqual([[1n, 2n, 3n, 4n]]);
});

test('a request ends by its own deadline, or when its caller leaves; the others of its call go on', async () => {
  const gate = Promise.withResolvers<void>();
  await using peer = await startPeer(() => gate.promise);
  const batcher = batcherOf(peer);
  const leaving = new AbortController();
  const givenUp = [{ timeoutMs: 100 }, { ...IN_TIME, signal: leaving.signal }].map((options, index) =>
    batcher.call(BigInt(index + 1), options).catch((reason: unknown) => reason),
  );
  const patient = batcher.call(3n, IN_TIME);
  await expect.poll(() => peer.calls.length).toBe(1);
  leaving.abort(new Error('gone'));
  for (const error of await Promise.all(givenUp)) expect(failureOf(error)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
  gate.resolve();
  expect(await patient).toBe(3n);
});

test('a peer that goes away is an outage for every caller that it has not answered', async () => {
  await using peer = await startPeer(
    async (id) => void (id === 2n && (await pause(60_000, undefined, { ref: false }))),
  );
  const batcher = batcherOf(peer);
  const [answered, open] = [batcher.call(1n, IN_TIME), batcher.call(2n, IN_TIME)];
  const outcome = open.catch((reason: unknown) => reason);
  expect(await answered).toBe(1n);
  await peer[Symbol.asyncDispose]();
  expect(failureOf(await outcome)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
});

test('only requests that a peer had not answered when its connections broke are sent again', async () => {
  let lose = true;
  await using peer = await startPeer(async (id) => {
    if (lose && id > 2n) await new Promise<never>(() => undefined);
  });
  const port = Number(new URL(peer.url).port);
  await using proxy = await startProxy(port, seeded('breaks'));
  const batcher = batcherOf({ client: peer.clientAt(`http://127.0.0.1:${proxy.port}`) });
  const [first, second, ...others] = [1n, 2n, 3n, 4n].map((id) => batcher.call(id, IN_TIME));
  expect(await Promise.all([first, second])).toEqual([1n, 2n]);
  lose = false;
  proxy.retarget(port);
  expect(await Promise.all(others)).toEqual([3n, 4n]);
  expect(peer.calls).toEqual([
    [1n, 2n, 3n, 4n],
    [3n, 4n],
  ]);
});

test('a peer that breaks off after its first answer each time is asked three times in all', async () => {
  await using peer = await startPeer(slowerByNumber, { sent: breakOff });
  const batcher = batcherOf(peer);
  const [first, second, third, last] = [1n, 2n, 3n, 4n].map((id) => batcher.call(id, IN_TIME));
  const outcome = last?.catch((reason: unknown) => reason);
  expect(await Promise.all([first, second, third])).toEqual([1n, 2n, 3n]);
  expect(failureOf(await outcome)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
  expect(peer.calls).toEqual([
    [1n, 2n, 3n, 4n],
    [2n, 3n, 4n],
    [3n, 4n],
  ]);
});

test(
  'a peer that breaks off each time gets at most a tenth more, after a first burst, as with calls of one',
  async () => {
    await using peer = await startPeer(slowerByNumber, { sent: breakOff });
    const batcher = batcherOf(peer);
    const rounds = volumeOf(100, 2_000);
    for (let round = 0; round < rounds; round += 1)
      await Promise.allSettled([1n, 2n, 3n].map((id) => batcher.call(id, IN_TIME)));
    expect(peer.calls.length).toBeGreaterThan(rounds);
    expect(peer.calls.length).toBeLessThanOrEqual(rounds * 1.1 + 20);
  },
  VOLUME_TIMEOUT_MS,
);

test('requests that the caller abandoned or the peer refused are not sent again', async () => {
  const leaving = new AbortController();
  await using peer = await startPeer(
    async (id) => {
      if (id === 2n) throw fail(FailureCode.RATE_LIMITED, 'too many');
      if (id === 3n) leaving.abort(new Error('gone'));
      if (id > 2n && peer.calls.length === 1) await new Promise<never>(() => undefined);
    },
    { sent: () => void (peer.calls.length === 1 && breakOff()) },
  );
  const batcher = batcherOf(peer);
  const outcomes = [
    ...[1n, 2n].map((id) => batcher.call(id, IN_TIME)),
    batcher.call(3n, { ...IN_TIME, signal: leaving.signal }),
    batcher.call(4n, IN_TIME),
  ];
  const settled = await Promise.allSettled(outcomes);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(peer.calls).toEqual([[1n, 2n, 3n, 4n], [4n]]);
});

test('a thousand at once are all answered, by calls of 200 at most', async () => {
  await using peer = await startPeer((id) => pause(Number(id % 7n)));
  const batcher = batcherOf(peer);
  const ids = Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1));
  expect(await Promise.all(ids.map((id) => batcher.call(id, IN_TIME)))).toEqual(ids);
  expect(Math.max(...peer.calls.map((one) => one.length))).toBe(200);
  expect(peer.calls.flat().length).toBe(1_000);
});

test('large requests at one moment are all answered; one that is too large for any call fails by itself', async () => {
  await using peer = await startPeer(() => Promise.resolve());
  const batcher = batchSettlements(peer);
  const lengths = [...Array(60).fill(50_000), 2_000_000, 10, 700_000, 700_000];
  const outcomes = await Promise.all(
    lengths.map((length, index) =>
      batcher({ operationId: BigInt(index), operationIdentity: 'x'.repeat(length) }, IN_TIME).catch(
        (error: unknown) => ConnectError.from(error).code,
      ),
    ),
  );
  expect(outcomes).toEqual(lengths.map((length, index) => (length > 1e6 ? Code.ResourceExhausted : BigInt(index))));
});

test('an error that is no status of a call reaches all as it is', async () => {
  const batcher = batchCalls<number, number>({
    typeName: 'test',
    callOne: () => Promise.reject(new ConnectError('not asked', Code.Internal)),
    // biome-ignore lint/correctness/useYield: it fails before it has anything
    callBatch: async function* () {
      throw new ConnectError('broken', Code.Internal);
    },
  });
  for (const call of [batcher(1, IN_TIME), batcher(2, IN_TIME)])
    await expect(call).rejects.toMatchObject({ rawMessage: 'broken' });
});

test('a batched call is a span of caller and peer that lasts until its last answer', async () => {
  await using traces = await recordTraces();
  await using peer = await startPeer((id) => pause(id === 2n ? 300 : 0));
  const batcher = batcherOf(peer);
  await inSpan('asking', {}, () => Promise.all([1n, 2n].map((id) => batcher.call(id, IN_TIME))));
  const ended = async () => (await traces.spans()).filter(({ name }) => name === 'ces.ledger.v1.LedgerService/Post');
  await expect.poll(async () => (await ended()).length).toBe(2);
  for (const { start_ms: start, end_ms: end } of await ended()) expect(end - start).toBeGreaterThan(250);
});
