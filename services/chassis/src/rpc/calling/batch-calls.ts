import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { type CallOptions, Code, ConnectError } from '@connectrpc/connect';
import { type BatchEntry, Batcher, BatchTimeout } from '../../service/batcher.ts';
import { MAX_REQUEST_BYTES, maxBytesOf } from '../message-size.ts';
import { errorOfRefusal, toOutage } from '../refusal.ts';
import { priorAttemptsOf, withPriorAttempts } from './prior-attempts.ts';

const MOST = 200;
/** Below what a peer reads. A larger request gets its own call. */
const MOST_BYTES = MAX_REQUEST_BYTES - 1024;
/** How long a request waits for others or for the answer to an earlier call. */
const LONGEST_WAIT_MS = 20;

export type BatchAnswer<Answer> =
  | { readonly index: number; readonly answer: Answer }
  | { readonly index: number; readonly refusal: Refusal };

export interface CallBatchingOptions<Request, Answer> {
  readonly typeName: string;
  readonly callOne: (request: Request, options: CallOptions) => Promise<Answer>;
  readonly callBatch: (
    requests: readonly Request[],
    options: CallOptions,
  ) => AsyncIterable<readonly BatchAnswer<Answer>[]>;
  /** Limit on requests per call; default 200. */
  readonly most?: number;
}

export interface BatchedCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Rejects as a single call would, after `timeoutMs`, and when `signal` aborts. */
export type BatchedCall<Request, Answer> = (request: Request, options: BatchedCallOptions) => Promise<Answer>;

type Waiting<Request, Answer> = BatchEntry<Request, Answer>;

/**
 * Batches concurrent requests to a peer. Without an unanswered call, they leave at the end of the
 * event loop turn; else they wait for the first answer, 20 ms at most. A new call sends the
 * unanswered requests of a broken response.
 */
export function batchCalls<Request, Answer>(
  options: CallBatchingOptions<Request, Answer>,
): BatchedCall<Request, Answer> {
  const batcher = new Batcher<Request, Answer>({
    maxItems: options.most ?? MOST,
    maxSize: MOST_BYTES,
    sizeOf: maxBytesOf,
    maxWaitMs: LONGEST_WAIT_MS,
    errorOf: (error, signal) => toOutage(options.typeName, toCallError(error, signal)),
    run: async (waiting, release) => {
      const waitedEnough = setTimeout(release, LONGEST_WAIT_MS);
      const [first, ...others] = waiting;
      try {
        if (first && others.length === 0) await sendOne(options, first);
        else await sendBatch(options, waiting, release);
      } finally {
        clearTimeout(waitedEnough);
      }
    },
  });
  return (request, callOptions) => batcher.add(request, callOptions);
}

async function sendOne<Request, Answer>(
  { callOne }: CallBatchingOptions<Request, Answer>,
  waiting: Waiting<Request, Answer>,
): Promise<void> {
  const { item, deadline, signal } = waiting;
  const timeoutMs = Math.max(1, deadline - performance.now());
  waiting.resolve(await callOne(item, { timeoutMs, ...(signal && { signal }) }));
}

async function sendBatch<Request, Answer>(
  options: CallBatchingOptions<Request, Answer>,
  waiting: readonly Waiting<Request, Answer>[],
  onAnswer: () => void,
  attempts = 0,
): Promise<void> {
  const open = waiting.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return;
  const timeoutMs = Math.max(1, Math.max(...open.map(({ deadline }) => deadline)) - performance.now());
  const requests = open.map(({ item }) => item);
  try {
    for await (const known of options.callBatch(requests, { timeoutMs, contextValues: withPriorAttempts(attempts) })) {
      onAnswer();
      for (const one of known) settle(open[one.index], one);
    }
  } catch (error) {
    const made = error instanceof ConnectError ? priorAttemptsOf(error) : undefined;
    if (made === undefined) throw error;
    return await sendBatch(options, open, onAnswer, made);
  }
  if (open.some(({ isOpen }) => isOpen)) throw new ConnectError('not every request was answered', Code.Internal);
}

function settle<Answer>(waiting: Waiting<unknown, Answer> | undefined, one: BatchAnswer<Answer>): void {
  if ('answer' in one) waiting?.resolve(one.answer);
  else waiting?.reject(errorOfRefusal(one.refusal));
}

function toCallError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof BatchTimeout) return new ConnectError('no answer in time', Code.DeadlineExceeded);
  return signal?.aborted && error === signal.reason ? ConnectError.from(error, Code.Canceled) : error;
}
