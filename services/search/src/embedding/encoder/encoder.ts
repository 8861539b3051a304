import type { Logger } from '@ces/chassis/telemetry/log';
import { EndpointFailure } from '../../endpoint/endpoint.ts';
import type { CrossEncoder } from '../../reranking/cross-encoder.ts';
import type { Embedder } from '../embedder.ts';
import { type Batch, widthOf } from './messages.ts';
import { type SupervisorOptions, superviseEncoder } from './supervise.ts';

/**
 * The built-in encoder and cross-encoder run in one child process that starts with the first texts.
 */
export interface Encoder extends Embedder, CrossEncoder, AsyncDisposable {}

export interface EncoderOptions {
  readonly logger: Logger;
  /** `background` gives it the lowest priority and ends the process while idle. */
  readonly priority: SupervisorOptions['priority'];
}

interface Request {
  readonly batch: Batch;
  /** One entry for each text that is done. */
  readonly values: Float32Array[];
  readonly settle: (failure?: unknown) => void;
}

const MODEL = 'ces-e5-small/1';
const CROSS_ENCODER = 'ces-cross-encoder/1';
const WAITING_REQUESTS = 64;
/**
 * One message holds at most this many texts, about 70 ms of one core. This bounds the wait of a
 * query and the cost of an aborted request.
 */
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
      const { batch, values } = request;
      const texts = batch.texts.slice(values.length, values.length + BATCH_TEXTS);
      const width = widthOf(batch);
      try {
        const made = await supervised.encode({ ...batch, texts });
        for (const at of texts.keys()) values.push(made.slice(at * width, (at + 1) * width));
        if (values.length === batch.texts.length) request.settle();
      } catch (error) {
        request.settle(error);
      }
    }
    isEncoding = false;
  };

  const encode = async (batch: Batch, signal: AbortSignal): Promise<readonly Float32Array[]> => {
    if (signal.aborted) throw new EndpointFailure('it took too long');
    if (waiting.size >= WAITING_REQUESTS) throw new EndpointFailure('too many texts wait for the encoder');
    if (batch.texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<readonly Float32Array[]>();
    const values: Float32Array[] = [];
    const request: Request = {
      batch: { ...batch, texts: batch.texts.map((text) => text.slice(0, TEXT_CODE_UNITS)) },
      values,
      settle: (failure) => {
        waiting.delete(request);
        if (failure === undefined) resolve(values);
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
  };

  return {
    model: MODEL,
    crossEncoder: CROSS_ENCODER,
    embed: (texts, purpose, signal) => encode({ texts, purpose }, signal),
    async score(query, texts, signal) {
      const values = await encode({ texts, query: query.slice(0, TEXT_CODE_UNITS) }, signal);
      return values.map(([score = Number.NaN]) => score);
    },
    async [Symbol.asyncDispose]() {
      for (const request of waiting) request.settle(new EndpointFailure('the encoder is stopped'));
      await supervised[Symbol.asyncDispose]();
    },
  };
}

/**
 * Work for searches comes first, because subscribers wait for it: embeddings of queries, then
 * scores, then passages; among equals the oldest.
 */
function nextOf(waiting: ReadonlySet<Request>): Request | undefined {
  let first: Request | undefined;
  for (const request of waiting) if (!first || urgencyOf(request.batch) > urgencyOf(first.batch)) first = request;
  return first;
}

function urgencyOf(batch: Batch): number {
  if ('query' in batch) return 1;
  return batch.purpose === 'query' ? 2 : 0;
}
