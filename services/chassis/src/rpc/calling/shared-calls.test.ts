import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import {
  LedgerService,
  type PostingAnswer,
  type PostRequest,
  type SettleRequest,
} from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { type Client, Code, ConnectError, type MethodImpl, type ServiceImpl } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { recordTraces } from '../../../test-support/recorded-traces.ts';
import { createLogger } from '../../telemetry/log.ts';
import { inSpan } from '../../telemetry/span.ts';
import { acceptTokens } from '../caller-tokens.ts';
import { createRpcClient } from '../client.ts';
import { FailureCode, fail, failureOf } from '../failure.ts';
import { startRpcServer } from '../server.ts';
import { createAnswerEach } from '../serving/answer-each.ts';
import { SharedCalls } from './shared-calls.ts';

const logger = createLogger('test', 'silent');

interface Peer extends AsyncDisposable {
  readonly client: Client<typeof LedgerService>;
  /** Operation ids of each call that came, in the order of calls. */
  readonly calls: bigint[][];
}

/** A server of settlements: `settle` says what becomes of each; with `single` it is of a release that knows no calls of several. */
async function startPeer(settle: (id: bigint) => Promise<void>, kind: 'single' | 'several' = 'several'): Promise<Peer> {
  const calls: bigint[][] = [];
  const answerEach = createAnswerEach(logger);
  const settleOne = async ({ operationId }: SettleRequest) => {
    await settle(operationId);
    return { allowance: { windowRemaining: operationId } };
  };
  const single: Partial<ServiceImpl<typeof LedgerService>> = {
    settle: async (request) => {
      calls.push([request.operationId]);
      return await settleOne(request);
    },
  };
  async function* post({ postings }: PostRequest, context: Parameters<typeof answerEach>[1]) {
    const requests = postings.map(({ posting }) => posting.value as SettleRequest);
    calls.push(requests.map(({ operationId }) => operationId));
    for await (const known of answerEach(requests, context, settleOne))
      yield {
        answers: known.map((one) => ({
          index: one.index,
          answer:
            'answer' in one
              ? ({ case: 'settle', value: one.answer } as const)
              : ({ case: 'refusal', value: one.refusal } as const),
        })),
      };
  }
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    // A release that does not know a method has no route for it either.
    routes: (router) =>
      kind === 'single'
        ? void router.rpc(LedgerService.method.settle, single.settle as MethodImpl<typeof LedgerService.method.settle>)
        : void router.service(LedgerService, { ...single, post }),
    callers: { 'ces.ledger.v1.LedgerService': { '*': ['operations'] } },
    callerTokens: acceptTokens({ operations: 'token' }),
    logger,
  });
  const client = createRpcClient(LedgerService, { url: server.url, callerToken: 'token', timeoutMs: 5_000 });
  return { client, calls, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function share({ client }: Peer) {
  const toAnswered = ({ index, answer }: PostingAnswer) =>
    answer.case === 'settle'
      ? { index, answer: answer.value.allowance?.windowRemaining }
      : { index, refusal: answer.value as Refusal };
  return new SharedCalls<bigint, bigint | undefined>({
    typeName: LedgerService.typeName,
    alone: async (operationId, options) => (await client.settle({ operationId }, options)).allowance?.windowRemaining,
    together: async function* (ids, options) {
      const postings = ids.map((operationId) => ({ posting: { case: 'settle', value: { operationId } } as const }));
      for await (const { answers } of client.post({ postings }, options)) yield answers.map(toAnswered);
    },
  });
}

const IN_TIME = { timeoutMs: 5_000 };

test('one at a time has a call of its own; what is asked for while none is answered shares the next', async () => {
  const gate = Promise.withResolvers<void>();
  await using peer = await startPeer((id) => (id === 2n ? gate.promise : Promise.resolve()));
  const shared = share(peer);
  expect(await shared.call(1n, IN_TIME)).toBe(1n);
  const blocked = shared.call(2n, IN_TIME);
  await expect.poll(() => peer.calls.length).toBe(2);
  const others = [3n, 4n, 5n].map((id) => shared.call(id, IN_TIME));
  expect(await Promise.all(others)).toEqual([3n, 4n, 5n]);
  gate.resolve();
  expect(await blocked).toBe(2n);
  expect(peer.calls).toEqual([[1n], [2n], [3n, 4n, 5n]]);
});

test('behind a call that is not answered others wait for a moment once, and then for none', async () => {
  const sent: bigint[] = [];
  const quick = new SharedCalls<bigint, bigint>({
    typeName: 'test',
    alone: async (id) => {
      sent.push(id);
      return id === 1n ? await new Promise<never>(() => {}) : id;
    },
    together: () => Promise.reject(new Error('nothing came together')) as never,
  });
  void quick.call(1n, IN_TIME);
  await pause(50);
  void quick.call(2n, IN_TIME);
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
  const shared = share(peer);
  const [slow, refused, broken, good] = [1n, 2n, 3n, 4n].map((id) => shared.call(id, IN_TIME));
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
  const shared = share(peer);
  const leaving = new AbortController();
  const givenUp = [{ timeoutMs: 100 }, { ...IN_TIME, signal: leaving.signal }].map((options, index) =>
    shared.call(BigInt(index + 1), options).catch((reason: unknown) => reason),
  );
  const patient = shared.call(3n, IN_TIME);
  await expect.poll(() => peer.calls.length).toBe(1);
  leaving.abort(new Error('gone'));
  for (const error of await Promise.all(givenUp)) expect(failureOf(error)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
  gate.resolve();
  expect(await patient).toBe(3n);
});

test('a peer that goes away is an outage to all whom it has not answered', async () => {
  await using peer = await startPeer(
    async (id) => void (id === 2n && (await pause(60_000, undefined, { ref: false }))),
  );
  const shared = share(peer);
  const [answered, open] = [shared.call(1n, IN_TIME), shared.call(2n, IN_TIME)];
  const outcome = open.catch((reason: unknown) => reason);
  expect(await answered).toBe(1n);
  await peer[Symbol.asyncDispose]();
  expect(failureOf(await outcome)?.code).toBe(FailureCode.SERVICE_UNAVAILABLE);
}, 30_000);

test('a peer of the release before is called for each, and is not asked again at once whether it knows more', async () => {
  await using peer = await startPeer(() => Promise.resolve(), 'single');
  const shared = share(peer);
  expect(await Promise.all([1n, 2n].map((id) => shared.call(id, IN_TIME)))).toEqual([1n, 2n]);
  expect(await Promise.all([3n, 4n].map((id) => shared.call(id, IN_TIME)))).toEqual([3n, 4n]);
  expect(peer.calls.map((ids) => ids.length)).toEqual([1, 1, 1, 1]);
});

test('a thousand at once are all answered, by calls of 200 at most', async () => {
  await using peer = await startPeer((id) => pause(Number(id % 7n)));
  const shared = share(peer);
  const ids = Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1));
  expect(await Promise.all(ids.map((id) => shared.call(id, IN_TIME)))).toEqual(ids);
  expect(Math.max(...peer.calls.map((one) => one.length))).toBe(200);
  expect(peer.calls.flat().length).toBe(1_000);
});

test('an error that is no status of a call reaches all as it is', async () => {
  const shared = new SharedCalls<number, number>({
    typeName: 'test',
    alone: () => Promise.reject(new ConnectError('not asked', Code.Internal)),
    // biome-ignore lint/correctness/useYield: it fails before it has anything
    together: async function* () {
      throw new ConnectError('broken', Code.Internal);
    },
  });
  for (const call of [shared.call(1, IN_TIME), shared.call(2, IN_TIME)])
    await expect(call).rejects.toMatchObject({ rawMessage: 'broken' });
});

test('a shared call is a span of caller and peer that lasts until its last answer', async () => {
  await using traces = await recordTraces();
  await using peer = await startPeer((id) => pause(id === 2n ? 300 : 0));
  const shared = share(peer);
  await inSpan('asking', {}, () => Promise.all([1n, 2n].map((id) => shared.call(id, IN_TIME))));
  const ended = async () => (await traces.spans()).filter(({ name }) => name === 'ces.ledger.v1.LedgerService/Post');
  await expect.poll(async () => (await ended()).length, { timeout: 5_000 }).toBe(2);
  for (const { start_ms: start, end_ms: end } of await ended()) expect(end - start).toBeGreaterThan(250);
});
