import { StartupError } from '@ces/chassis/service/lifecycle';
import { type Restartable, type Supervised, supervise } from '@ces/servers/processes/supervise';
import type { DataDirectory } from '../state/data-directory.ts';
import type { Secrets } from '../state/secrets.ts';
import type { StackLock } from '../state/stack-lock.ts';

/** What the steps of one start share. */
export interface StartContext {
  readonly data: DataDirectory;
  readonly lock: StackLock;
  readonly secrets: Secrets;
  /** Settings from outside. */
  readonly env: NodeJS.ProcessEnv;
  /** What was started so far, to be stopped in the reverse order. */
  readonly started: AsyncDisposableStack;
  readonly say: (line: string) => void;
  /** Aborts when the start is given up. */
  readonly signal: AbortSignal;
  /** Called when a process was started again. */
  readonly onRestart: () => void;
}

/** Starts a process that is started again whenever it ends by itself. */
export function keepRunning<T extends Restartable>(
  context: StartContext,
  name: string,
  start: () => Promise<T>,
): Promise<Supervised<T>> {
  const startInOurs = async () => {
    if (await context.lock.isHeld()) return await start();
    throw new StartupError('its data directory was taken away.');
  };
  return supervise(startInOurs, { name, say: context.say, onRestart: context.onRestart });
}

/** Starts several at once. When one fails, those that started are kept for stopping, and its error is thrown. */
export async function startAll<T extends readonly (Promise<AsyncDisposable> | undefined)[]>(
  context: StartContext,
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(starting);
  for (const one of outcomes) if (one.status === 'fulfilled') context.started.use(one.value);
  return (await Promise.all(starting)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}
