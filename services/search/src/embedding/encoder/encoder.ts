import type { Logger } from '@ces/chassis/telemetry/log';
import { EndpointFailure } from '../../endpoint/endpoint.ts';
import type { Embedder } from '../embedder.ts';
import { DIMENSIONS, type Purpose } from './messages.ts';
import { type SupervisorOptions, superviseEncoder } from './supervise.ts';

export interface Encoder extends Embedder, AsyncDisposable {}

export interface EncoderOptions {
  readonly logger: Logger;
  /** `background` gives it the lowest priority and ends the process while idle. */
  readonly priority: SupervisorOptions['priority'];
}

interface Request {
  readonly texts: readonly string[];
  readonly purpose: Purpose;
  readonly vectors: Float32Array[];
  readonly settle: (failure?: unknown) => void;
}

const MODEL = 'ces-e5-small/3';
const WAITING_REQUESTS = 64;
/** Texts of one message, about 70 ms of one core. This bounds the wait of a query. */
const BATCH_TEXTS = 4;
/** The model reads less. Longer texts would only be tokenized and then truncated. */
const TEXT_CODE_UNITS = 2000;
/** onnxruntime leaks a little memory with each run. */
const RECYCLE_AFTER_TEXTS = 50_000;
const IDLE_MS = 60_000;

export function startEncoder(options: EncoderOptions, overrides: Partial<SupervisorOptions> = {}): Encoder {
  const supervised = superviseEncoder({
    recycleAfterTexts: RECYCLE_AFTER_TEXTS,
    idleMs: IDLE_MS,
    execArgv: [],
    ...options,
    ...overrides,
  });
  const waiting = new Set<Request>();
  let isEncoding = false;

  const encodeWaiting = async () => {
    if (isEncoding) return;
    isEncoding = true;
    for (let request = nextOf(waiting); request !== undefined; request = nextOf(waiting)) {
      const from = request.vectors.length;
      const texts = request.texts.slice(from, from + BATCH_TEXTS);
      try {
        const vectors = await supervised.encode({ texts, purpose: request.purpose });
        for (const at of texts.keys()) request.vectors.push(vectors.slice(at * DIMENSIONS, (at + 1) * DIMENSIONS));
        if (request.vectors.length === request.texts.length) request.settle();
      } catch (error) {
        request.settle(error);
      }
    }
    isEncoding = false;
  };

  return {
    model: MODEL,
    async embed(texts, purpose, signal) {
      if (signal.aborted) throw new EndpointFailure('it took too long');
      if (waiting.size >= WAITING_REQUESTS) throw new EndpointFailure('too many texts wait for the encoder');
      if (texts.length === 0) return [];
      const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
      const vectors: Float32Array[] = [];
      const request: Request = {
        texts: texts.map((text) => text.slice(0, TEXT_CODE_UNITS)),
        purpose,
        vectors,
        settle: (failure) => {
          waiting.delete(request);
          if (failure === undefined) resolve(vectors);
          else reject(failure);
        },
      };
      const abort = () => request.settle(new EndpointFailure('it took too long'));
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(request);
      void encodeWaiting();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const request of waiting) request.settle(new EndpointFailure('the encoder is stopped'));
      await supervised[Symbol.asyncDispose]();
    },
  };
}

/** Queries come first, because subscribers wait for them; then the oldest request. */
function nextOf(waiting: ReadonlySet<Request>): Request | undefined {
  let first: Request | undefined;
  for (const request of waiting) {
    if (request.purpose === 'query') return request;
    first ??= request;
  }
  return first;
}
