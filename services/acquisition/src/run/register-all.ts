import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';
import type { Source } from '../sources/source.ts';
import type { SourceRegistrar } from './register-source.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Tells the record the terms of every source once it answers, so that they are shown before anything is recorded. */
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
  for (let waitMs = FIRST_PAUSE_MS; !closing.aborted; waitMs = Math.min(2 * waitMs, LONGEST_PAUSE_MS)) {
    try {
      for (const source of sources) await untraced(() => registrar.register(source));
      return;
    } catch (error) {
      logger.warn({ err: error }, 'the record does not take the terms of sources; tried again later');
    }
    await pause(waitMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
}
