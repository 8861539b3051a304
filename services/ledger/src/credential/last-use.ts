import type { Pool } from '@ces/chassis/postgres/pool';
import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';
import { recordUse } from '../db/credential.ts';

/** How long a use stays in memory before it is written, in milliseconds. */
const FLUSH_EVERY_MS = 5_000;

/** Remembers when credentials were last used, to the minute, and writes it every few seconds instead of on every call. */
export interface LastUse extends AsyncDisposable {
  /** `minute` is the instant cut to its minute. */
  record(credentialId: bigint, minute: Date): void;
}

export function createLastUse(pool: Pool, logger: Logger): LastUse {
  let pending = new Map<bigint, Date>();
  async function flush(): Promise<void> {
    const uses = pending;
    if (uses.size === 0) return;
    pending = new Map();
    try {
      await recordUse(pool, uses);
    } catch (error) {
      for (const [id, minute] of uses) if (!pending.has(id)) pending.set(id, minute);
      throw error;
    }
  }
  const flushing = startPeriodicTask({
    name: 'writing the last use of credentials',
    everyMs: FLUSH_EVERY_MS,
    run: flush,
    logger,
  });
  return {
    record: (credentialId, minute) => void pending.set(credentialId, minute),
    async [Symbol.asyncDispose]() {
      await flushing[Symbol.asyncDispose]();
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'last use of credentials not written'));
    },
  };
}
