import { Batcher } from '@ces/chassis/service/batcher';
import { retry } from '@ces/chassis/service/retry';
import type { Logger } from '@ces/chassis/telemetry/log';
import { untraced } from '@ces/chassis/telemetry/span';

const APART_MS = 5_000;
const MAX_BATCH = 10_000;
const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;

export interface DeferredWrites<Fact> extends AsyncDisposable {
  record(credentialId: bigint, fact: Fact): void;
}

export interface DeferredWritesOptions<Fact> {
  readonly name: string;
  readonly write: (facts: ReadonlyMap<bigint, Fact>) => Promise<void>;
  readonly logger: Logger;
}

/** Lost, and logged, when every attempt fails. Disposal writes what is pending. */
export function createDeferredWrites<Fact>({ name, write, logger }: DeferredWritesOptions<Fact>): DeferredWrites<Fact> {
  const writes = new Batcher<readonly [bigint, Fact], void>({
    maxItems: MAX_BATCH,
    maxInFlight: 1,
    intervalMs: APART_MS,
    run: async (entries) => {
      const facts = new Map(entries.map(({ item }) => item));
      await untraced(() => retry(() => write(facts), { attempts: ATTEMPTS, firstPauseMs: FIRST_PAUSE_MS })).catch(
        (error: unknown) => logger.warn({ err: error, credentials: facts.size }, `${name} failed`),
      );
      for (const entry of entries) entry.resolve();
    },
  });
  return {
    record: (credentialId, fact) =>
      void writes
        .add([credentialId, fact])
        .catch((error: unknown) => logger.debug({ err: error, credential_id: credentialId }, `${name}: too many`)),
    [Symbol.asyncDispose]: () => writes[Symbol.asyncDispose](),
  };
}
