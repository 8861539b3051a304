import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ServiceName } from './database.ts';
import { showOutput } from './program-log.ts';
import type { Environment } from './stack.ts';

export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  readonly adminUrl: string;
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
}

/** The entry point of operations that honours CES_CRASH_AT. */
export const CRASHING_MAIN = 'test-support/crashing-main.ts';

const INHERITED = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
};

/** Starts a service process that ends with the test. `main` is relative to the service's folder. */
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
