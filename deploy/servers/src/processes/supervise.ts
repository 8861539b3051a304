import { setTimeout as pause } from 'node:timers/promises';

export interface Restartable extends AsyncDisposable {
  readonly pid: number;
  /** Resolves with the exit code, or -1 when a signal ended it. */
  readonly ended: Promise<number>;
}

export interface Supervised<T extends Restartable> extends AsyncDisposable {
  readonly current: T;
}

export interface Supervision {
  readonly name: string;
  readonly say: (line: string) => void;
  readonly onRestart: () => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** A process that ran this long resets the pause. */
const GOOD_RUN_MS = 60_000;

export async function supervise<T extends Restartable>(
  start: () => Promise<T>,
  supervision: Supervision,
): Promise<Supervised<T>> {
  const closing = new AbortController();
  let current = await start();
  const watching = watch();
  return {
    get current() {
      return current;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await current[Symbol.asyncDispose]();
      await watching;
    },
  };

  async function watch(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = performance.now();
      const code = await current.ended;
      if (closing.signal.aborted) return;
      if (performance.now() - startedAt > GOOD_RUN_MS) pauseMs = FIRST_PAUSE_MS;
      supervision.say(`${supervision.name} ended by itself (code ${code}); it is started again`);
      pauseMs = await startAgain(pauseMs);
      if (closing.signal.aborted) return await current[Symbol.asyncDispose]();
      supervision.say(`${supervision.name} runs again`);
      supervision.onRestart();
    }
  }

  async function startAgain(firstPauseMs: number): Promise<number> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return pauseMs;
      try {
        current = await start();
        return Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      } catch (error) {
        supervision.say(`${supervision.name} did not start: ${(error as Error).message}`);
      }
    }
  }
}
