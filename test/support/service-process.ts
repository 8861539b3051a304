import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ServiceName } from './database.ts';
import { showOutput } from './program-log.ts';
import type { Environment } from './stack.ts';

/** A service as a process of its own, for tests that kill it. */
export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  /** The address of its probes and metrics. */
  readonly adminUrl: string;
  readonly child: ChildProcess;
  /** Resolves with the signal or exit code when the process has ended. */
  readonly ended: Promise<string>;
}

/** The entry of operations that CES_CRASH_AT crashes. */
export const CRASHING_MAIN = 'test-support/crashing-main.ts';

const INHERITED = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

/** Starts a service as a process; it ends with the test. `main` is its entry, under the service's folder. */
export async function startServiceProcess(
  name: ServiceName | 'acquisition' | 'gateway',
  env: Environment,
  main = 'src/main.ts',
): Promise<ServiceProcess> {
  const root = path.resolve(import.meta.dirname, '../..');
  const folder = name === 'gateway' ? name : `services/${name}`;
  const child = spawn(process.execPath, [path.join(root, folder, main)], {
    env: { ...INHERITED, CES_LOG_LEVEL: process.env.CES_TEST_LOG ?? 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  showOutput(child.stdout, child.stderr);
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  const ready = once(child, 'message').then(([message]) => message as { url: string; adminUrl: string });
  const first = await Promise.race([ready, ended]);
  if (typeof first === 'string') throw new Error(`${name} ended with ${first} before it was ready`);
  return {
    ...first,
    child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
