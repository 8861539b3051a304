import { Worker } from 'node:worker_threads';
import type { Logger } from '@ces/chassis/telemetry/log';
import { indexUnavailable, type MemorySearch, type MemorySearchState } from '../memory-search.ts';
import type { MemoryAnswer, MemoryMessage, MemoryRequest, MemoryWorkerOptions } from './messages.ts';
import { unpackRanking } from './packed-ranking.ts';

const RESTART_AFTER_MS = 1_000;
const EMPTY: MemorySearchState = { isLoaded: false, bytes: 0, mostBytes: 0, leftOut: 0, searchedFrom: '' };

type Waiting = (answer: MemoryAnswer) => void;
/** A request before it has a number. */
type Question = MemoryRequest extends infer R ? (R extends MemoryRequest ? Omit<R, 'id'> : never) : never;

/** A thread of its own, so that rankings never block the event loop of the service. */
export function startMemoryWorker(
  options: Omit<MemoryWorkerOptions, 'logLevel'>,
  logger: Logger,
): MemorySearch & AsyncDisposable {
  const waiting = new Map<number, Waiting>();
  let state = EMPTY;
  let asked = 0;
  let isClosing = false;
  let restart: NodeJS.Timeout | undefined;
  const start = (): Worker => {
    const started = new Worker(new URL('./worker-main.ts', import.meta.url), {
      workerData: { ...options, logLevel: logger.level },
    });
    started.on('message', (message: MemoryMessage) => {
      if ('state' in message) state = message.state;
      else settle(message);
    });
    started.on('error', (err) => logger.error({ err }, 'the thread of the memory index failed'));
    started.on('exit', () => {
      state = EMPTY;
      for (const id of waiting.keys()) settle({ id, failure: 'unavailable' });
      if (!isClosing) restart = setTimeout(startAgain, RESTART_AFTER_MS);
    });
    return started;
  };
  const settle = (answer: MemoryAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  };
  const startAgain = () => {
    worker = start();
  };
  let worker = start();
  const ask = async (question: Question): Promise<MemoryAnswer> => {
    asked += 1;
    const id = asked;
    const { promise, resolve } = Promise.withResolvers<MemoryAnswer>();
    waiting.set(id, resolve);
    worker.postMessage({ ...question, id });
    const answer = await promise;
    if (!('failure' in answer)) return answer;
    throw answer.failure === 'unavailable' ? indexUnavailable() : answer.failure;
  };
  return {
    async rank(ranking, moment) {
      const answer = await ask({ ranking, moment });
      if (!('ranking' in answer)) throw new Error('the memory index answered another question');
      return unpackRanking(answer.ranking);
    },
    async findLiterally(literal, moment) {
      const answer = await ask({ literal, moment });
      if (!('hits' in answer)) throw new Error('the memory index answered another question');
      return answer.hits;
    },
    state: () => state,
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearTimeout(restart);
      await worker.terminate();
    },
  };
}
