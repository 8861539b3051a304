import { retry } from '@ces/chassis/service/retry';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';
import type { Source } from '../connector/source.ts';
import type { SourceRegistrar } from './register-source.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export function startRegistration(
  registrar: SourceRegistrar,
  sources: readonly Source[],
  logger: Logger,
): AsyncDisposable {
  const closing = new AbortController();
  const registering = registerAll(registrar, sources, logger, closing.signal);
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await registering;
    },
  };
}

async function registerAll(
  registrar: SourceRegistrar,
  sources: readonly Source[],
  logger: Logger,
  closing: AbortSignal,
): Promise<void> {
  const register = async () => {
    for (const source of sources) await registrar.register(source);
  };
  await untraced(() =>
    retry(register, {
      attempts: Number.POSITIVE_INFINITY,
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      signal: closing,
      onFailure: (error) =>
        logger.warn({ err: error }, 'the record does not take the terms of sources; tried again later'),
    }),
  ).catch((error: unknown) => {
    if (!closing.aborted) throw error;
  });
}
