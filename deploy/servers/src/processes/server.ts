import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Account } from './account.ts';

/** Its own process group keeps Ctrl-C from it. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves with its exit code, or -1 when a signal ended it. */
  readonly ended: Promise<number>;
  output(): Promise<string>;
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

export interface ServerProgram {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly account: Account;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly logFile: string;
  /** The signal that ends the server after this process was killed. */
  readonly orphanSignal: 'INT' | 'TERM';
}

export async function spawnServer(options: ServerProgram): Promise<ServerProcess> {
  const log = await open(options.logFile, 'a', 0o600);
  const { size: logStart } = await log.stat();
  const child = spawn(options.program, options.parameters, {
    ...options.account.spawnAs,
    cwd: '/',
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  // Listens before it awaits anything: a program that fails at once exits meanwhile.
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  const started = pidOf(child, options.program);
  await Promise.all([started, log.close()]);
  const pid = await started;
  child.unref();
  const guard = guardAgainstOrphaning(pid, options.orphanSignal);
  void ended.then(() => guard.kill('SIGKILL'));
  return {
    pid,
    ended,
    output: async () => (await readFile(options.logFile)).subarray(logStart).toString('utf8'),
    async stop(signal, graceMs) {
      // Keeps this process alive until the server has ended.
      child.ref();
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function pidOf(child: ChildProcess, program: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const error = await new Promise<Error>((resolve) => child.once('error', resolve));
  throw new StartupError(
    `${program} cannot be run (${error.message}): check that it is a program and may be executed.`,
  );
}

/** If this process is killed, its pipe closes and the shell ends the server. */
function guardAgainstOrphaning(pid: number, signal: string): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', `read _; kill -${signal} "$0"`, String(pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  const pipe = guard.stdin as (NodeJS.WritableStream & { unref?: () => void }) | null;
  pipe?.unref?.();
  return guard;
}
