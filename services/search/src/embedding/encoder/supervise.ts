import type { Logger } from '@ces/chassis/telemetry/log';
import { EndpointFailure } from '../../endpoint/endpoint.ts';
import { type EncoderProcess, startEncoderProcess } from './encoder-process.ts';
import { type Answer, type Batch, DIMENSIONS } from './messages.ts';

export interface SupervisedEncoder extends AsyncDisposable {
  /** Returns concatenated vectors. Only one batch may run at once. Rejects with EndpointFailure. */
  encode(batch: Batch): Promise<Float32Array>;
}

export interface SupervisorOptions {
  readonly logger: Logger;
  readonly priority: 'foreground' | 'background';
  readonly recycleAfterTexts: number;
  /** A background process ends after this idle time. */
  readonly idleMs: number;
  readonly execArgv: readonly string[];
}

const NICENESS = { foreground: 0, background: 19 };
/** Includes process start. A busy machine gives a background process very little time. */
const ANSWER_WITHIN_MS = { foreground: 30_000, background: 600_000 };
const THREADS = 1;
/** Follows the second consecutive failure. Each further failure doubles it. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

const NO_BUILD =
  'the built-in encoder does not run on this platform, for which onnxruntime-node has no build (Intel Macs, musl): set CES_SEARCH_EMBEDDING_URL';

export function superviseEncoder(options: SupervisorOptions): SupervisedEncoder {
  const { logger, priority } = options;
  let running: EncoderProcess | undefined;
  let encoded = 0;
  let failures = 0;
  let pausedUntil = 0;
  let idle: NodeJS.Timeout | undefined;
  let unusable: string | undefined;

  const end = async () => {
    const ending = running;
    running = undefined;
    await ending?.[Symbol.asyncDispose]();
  };
  const ready = async (): Promise<EncoderProcess> => {
    if (encoded >= options.recycleAfterTexts) await end();
    if (unusable !== undefined) throw new EndpointFailure(unusable);
    if (performance.now() < pausedUntil) throw new EndpointFailure('the encoder failed and is started again soon');
    if (running && !running.hasEnded) return running;
    encoded = 0;
    running = startEncoderProcess({ niceness: NICENESS[priority], threads: THREADS, execArgv: options.execArgv });
    logger.info({ encoder_pid: running.pid, priority }, 'the encoder is started');
    return running;
  };
  const fail = async (reason: string): Promise<EndpointFailure> => {
    await end();
    if (unusable !== undefined) return new EndpointFailure(unusable);
    failures += 1;
    const pauseMs = failures === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 2), LONGEST_PAUSE_MS);
    pausedUntil = performance.now() + pauseMs;
    logger.warn({ reason, failures, pause_ms: pauseMs, priority }, 'the encoder failed');
    return new EndpointFailure(reason);
  };
  const refuse = async (): Promise<EndpointFailure> => {
    unusable = NO_BUILD;
    await end();
    logger.warn({ reason: unusable }, 'there is no encoder');
    return new EndpointFailure(unusable);
  };
  const vectorsOf = async (answer: Answer | undefined, count: number): Promise<Float32Array> => {
    if (answer === undefined) throw await fail('the encoder ended, or took too long and was ended');
    if ('vectors' in answer && answer.vectors.length === count * DIMENSIONS && answer.vectors.every(Number.isFinite))
      return answer.vectors;
    const failure = 'failure' in answer ? answer.failure : 'texts';
    if (failure === 'platform') throw await refuse();
    if (failure === 'model') throw await fail('the model of the encoder cannot be loaded');
    throw new EndpointFailure('the encoder made no vectors of these texts');
  };
  return {
    async encode(batch) {
      clearTimeout(idle);
      try {
        const answer = await (await ready()).encode(batch, ANSWER_WITHIN_MS[priority]);
        const vectors = await vectorsOf(answer, batch.texts.length);
        encoded += batch.texts.length;
        failures = 0;
        return vectors;
      } finally {
        if (priority === 'background' && running) idle = setTimeout(() => void end(), options.idleMs);
      }
    },
    async [Symbol.asyncDispose]() {
      unusable = 'the encoder is stopped';
      clearTimeout(idle);
      await end();
    },
  };
}
