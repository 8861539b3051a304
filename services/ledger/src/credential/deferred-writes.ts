import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';

const FLUSH_EVERY_MS = 5_000;

/** Keeps the newest fact of each credential in memory and writes all of them every 5 s. */
export interface DeferredWrites<Fact> extends AsyncDisposable {
  record(credentialId: bigint, fact: Fact): void;
}

export interface DeferredWritesOptions<Fact> {
  readonly name: string;
  readonly write: (facts: ReadonlyMap<bigint, Fact>) => Promise<void>;
  readonly logger: Logger;
}

/** Retries a failed write together with the next one. Disposal writes what is pending. */
export function createDeferredWrites<Fact>({ name, write, logger }: DeferredWritesOptions<Fact>): DeferredWrites<Fact> {
  let pending = new Map<bigint, Fact>();
  async function flush(): Promise<void> {
    const facts = pending;
    if (facts.size === 0) return;
    pending = new Map();
    try {
      await write(facts);
    } catch (error) {
      for (const [id, fact] of facts) if (!pending.has(id)) pending.set(id, fact);
      throw error;
    }
  }
  const flushing = startPeriodicTask({ name, everyMs: FLUSH_EVERY_MS, run: flush, logger });
  return {
    record: (credentialId, fact) => void pending.set(credentialId, fact),
    async [Symbol.asyncDispose]() {
      await flushing[Symbol.asyncDispose]();
      await flush().catch((error: unknown) => logger.warn({ err: error }, `${name} broken off at the end`));
    },
  };
}
