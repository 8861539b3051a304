import type { Clock } from '@ces/chassis/service/clock';

export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = undefined;
      throw error;
    });
    return answer;
  };
}

export interface Cached<T> {
  get(): Promise<T>;
  forget(): void;
}

/** A failure is not cached. */
export function cachedFor<T>(clock: Clock, forMs: number, ask: () => Promise<T>): Cached<T> {
  let answer = once(ask);
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    get() {
      const now = clock.now().getTime();
      // After the clock was set back, the age of the answer is unknown.
      if (now - askedAt >= forMs || now < askedAt) {
        answer = once(ask);
        askedAt = now;
      }
      return answer();
    },
    forget() {
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** One run at a time. A failed run counts. */
export function atMostEvery(clock: Clock, everyMs: number, work: () => Promise<void>): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  let running: Promise<void> = Promise.resolve();
  return () => {
    const now = clock.now().getTime();
    if (now - last >= everyMs || now < last) {
      last = now;
      running = running.catch(() => undefined).then(work);
    }
    return running;
  };
}
