/** One day, since setTimeout allows at most 2^31 - 1 ms, about 24 days. */
const LONGEST_TIMER_MS = 86_400_000;

/** Rejects with the reason of the signal when it aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0; left = end - performance.now())
    await untilTimer(Math.min(left, LONGEST_TIMER_MS), signal);
  signal?.throwIfAborted();
}

function untilTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return unlessAborted(signal, (resolve) => {
    const timer = setTimeout(resolve, ms);
    return () => clearTimeout(timer);
  });
}

/** Rejects when the signal aborts; the work itself continues. */
export function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return unlessAborted(signal, (resolve, reject) => {
    promise.then(resolve, reject);
    return () => undefined;
  });
}

function unlessAborted<T>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = start(
      (value) => settle(() => resolve(value)),
      (reason) => settle(() => reject(reason)),
    );
    const abort = () => settle(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort, { once: true });
    function settle(how: () => void): void {
      signal?.removeEventListener('abort', abort);
      stop();
      how();
    }
  });
}

export function eitherSignal(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a && b && a !== b) return AbortSignal.any([a, b]);
  return a ?? b;
}
