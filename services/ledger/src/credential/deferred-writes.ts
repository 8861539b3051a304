import { startPeriodicTask } from '@ces/chassis/service/periodic-task';
import type { Logger } from '@ces/chassis/telemetry/log';

/** How long a fact stays in memory before it is written, in milliseconds. */
const FLUSH_EVERY_MS = 5_000;

/** Remembers the newest fact of each credential, and writes all of them every few seconds instead of on every call. */
export interface DeferredWrites<Fact> extends AsyncDisposable {
  record(credentialId: bigint, fact: Fact): void;
}

export interface DeferredWritesOptions<Fact> {
  /** What the log calls it. */
  readonly name: string;
  readonly write: (facts: ReadonlyMap<bigint, Fact>) => Promise<void>;
  readonly logger: Logger;
}

/** What could not be written is tried again with the next ones; disposal writes what there is. */
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
