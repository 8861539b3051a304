import type { Pool } from '@ces/chassis/postgres/pool';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';
import { forgetQuestions } from '../db/asked.ts';
import { forgetCalls } from '../db/provider-call.ts';
import { failLostRuns } from '../db/source-run.ts';
import { SILENT_RUN_MS } from '../run/active-run.ts';

const EVERY_MS = 600_000;
/** All attempts at an operation end within an hour. */
const CALLS_KEPT_MS = 24 * 3_600_000;

/** Forgets calls and questions that serve nobody any more, and ends runs whose process is gone. */
export function startHousekeeping(pool: Pool, rememberMs: number, logger: Logger): AsyncDisposable {
  let passing: Promise<void> | undefined;
  const pass = async () => {
    await failLostRuns(pool, SILENT_RUN_MS);
    await forgetCalls(pool, CALLS_KEPT_MS);
    await forgetQuestions(pool, rememberMs);
  };
  const timer = setInterval(() => {
    passing ??= untraced(pass)
      .catch((error: unknown) => logger.warn({ err: error }, 'housekeeping broken off; the next pass follows'))
      .finally(() => {
        passing = undefined;
      });
  }, EVERY_MS);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await passing;
    },
  };
}
