import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import type { Logger } from '../../telemetry/log.ts';
import { countActive } from '../../telemetry/rpc.ts';
import { MAX_MESSAGE_BYTES, maxBytesOf } from '../message-size.ts';
import { refusalOf } from '../refusal.ts';
import { toLoggedRefusal } from './logged-refusal.ts';

interface BatchResult<Answer> {
  readonly index: number;
  readonly answer: Answer | { readonly case: 'refusal'; readonly value: Refusal };
}

/** A larger answer gets its own message. */
const MESSAGE_BYTES = 1024 * 1024;

export type StreamBatchResults = ReturnType<typeof createStreamBatchResults>;

/**
 * Answers as they finish, grouped per event loop turn. An error, or an answer too large, refuses
 * its request.
 */
export function createStreamBatchResults(logger: Logger) {
  const trackActive = countActive();
  return <Request, Answer>(
    requests: readonly Request[],
    { method }: Pick<HandlerContext, 'method'>,
    answer: (request: Request) => Promise<Answer>,
  ): AsyncGenerator<BatchResult<Answer>[]> => {
    const one = async (request: Request, index: number): Promise<BatchResult<Answer>> => {
      try {
        return { index, answer: checkSize(await trackActive(() => answer(request))) };
      } catch (error) {
        return { index, answer: { case: 'refusal', value: refusalOf(toLoggedRefusal(logger, method, error)) } };
      }
    };
    return asTheyEnd(requests.map(one));
  };
}

function checkSize<Answer>(answer: Answer): Answer {
  const bytes = maxBytesOf(answer);
  if (bytes <= MAX_MESSAGE_BYTES - 1024) return answer;
  throw new ConnectError(`an answer of up to ${bytes} bytes is larger than a message`, Code.ResourceExhausted);
}

function* inMessages<T>(known: readonly T[]): Generator<T[]> {
  let message: T[] = [];
  let bytes = 0;
  for (const one of known) {
    const size = maxBytesOf(one);
    if (message.length > 0 && bytes + size > MESSAGE_BYTES) {
      yield message;
      message = [];
      bytes = 0;
    }
    message.push(one);
    bytes += size;
  }
  if (message.length > 0) yield message;
}

async function* asTheyEnd<T>(work: readonly Promise<T>[]): AsyncGenerator<T[]> {
  let known: T[] = [];
  let wake = () => {};
  for (const one of work)
    void one.then((value) => {
      known.push(value);
      wake();
    });
  for (let left = work.length; left > 0; ) {
    if (known.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    await nextTurn();
    const answered = known;
    known = [];
    left -= answered.length;
    yield* inMessages(answered);
  }
}
