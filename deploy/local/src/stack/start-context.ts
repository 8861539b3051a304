import { StartupError } from '@ces/chassis/service/lifecycle';
import { type Restartable, type Supervised, supervise } from '@ces/servers/processes/supervise';
import type { DataDirectory } from '../state/data-directory.ts';
import type { Secrets } from '../state/secrets.ts';
import type { StackLock } from '../state/stack-lock.ts';

export interface StartContext {
  readonly data: DataDirectory;
  readonly lock: StackLock;
  readonly secrets: Secrets;
  readonly env: NodeJS.ProcessEnv;
  readonly started: AsyncDisposableStack;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  readonly onRestart: () => void;
}

/** Starts a supervised process, which restarts only while this stack holds its lock. */
export function keepRunning<T extends Restartable>(
  context: StartContext,
  name: string,
  start: () => Promise<T>,
): Promise<Supervised<T>> {
  const startInOurs = async () => {
    if (await context.lock.isHeld()) return await start();
    throw new StartupError('its data directory was removed or replaced.');
  };
  return supervise(startInOurs, { name, say: context.say, onRestart: context.onRestart });
}

/** Awaits several starts. Throws the error of the first that fails; the others are disposed. */
export async function startAll<T extends readonly (Promise<AsyncDisposable> | undefined)[]>(
  context: StartContext,
  starting: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const outcomes = await Promise.allSettled(starting);
  for (const one of outcomes) if (one.status === 'fulfilled') context.started.use(one.value);
  return (await Promise.all(starting)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}
