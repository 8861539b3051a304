import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Refusal } from '@ces/proto/ces/failure/v1/failure_pb.ts';
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import type { Logger } from '../../telemetry/log.ts';
import { countActive } from '../../telemetry/rpc.ts';
import { MAX_MESSAGE_BYTES, maxBytesOf } from '../message-size.ts';
import { refusalOf } from '../refusal.ts';
import { toLoggedRefusal } from './logged-refusal.ts';

type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

/** Each is an outcome and the place of its request. */
export type Known<Answer> = Outcome<Answer> & { readonly index: number };

/** Answers of one message, in bytes at most; a larger answer has a message of its own. */
const MESSAGE_BYTES = 1024 * 1024;

export type AnswerEach = ReturnType<typeof createAnswerEach>;

/**
 * Answers several requests of one call, each as if it were a call: all begin at once, none waits for another, and those that are
 * known in the same turn of the event loop are told together, as many as fit into a message. What goes wrong with one is its own
 * refusal, an answer that no message can hold too.
 */
export function createAnswerEach(logger: Logger) {
  const atWork = countActive();
  return <Request, Answer>(
    requests: readonly Request[],
    { method }: Pick<HandlerContext, 'method'>,
    answer: (request: Request) => Promise<Answer>,
  ): AsyncGenerator<readonly Known<Answer>[]> => {
    const one = async (request: Request, index: number): Promise<Known<Answer>> => {
      try {
        return { index, answer: checkSize(await atWork(() => answer(request))) };
      } catch (error) {
        return { index, refusal: refusalOf(toLoggedRefusal(logger, method, error)) };
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

/** Answers in their order, as many together as one message holds. */
function* inMessages<T>(known: readonly T[]): Generator<readonly T[]> {
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

async function* asTheyEnd<T>(work: readonly Promise<T>[]): AsyncGenerator<readonly T[]> {
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
    const told = known;
    known = [];
    left -= told.length;
    yield* inMessages(told);
  }
}
