import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Account } from './account.ts';

/** A database or broker that runs beside this process, in a process group of its own so that Ctrl-C reaches this process alone. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves with its exit code, -1 when a signal ended it. */
  readonly ended: Promise<number>;
  /** What it has written to its log since it was started. */
  output(): Promise<string>;
  /** Asks it to end, waits, and kills it when it takes longer than `graceMs` milliseconds. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
}

export interface ServerProgram {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly account: Account;
  /** Beside those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Receives standard output and error. */
  readonly logFile: string;
  /** How the server is asked to end when this process was killed and can no longer ask itself. */
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
      // Nothing else may keep this process until the server is gone.
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

/** A shell that waits on a pipe from this process: when this process is killed the pipe closes, and the shell ends the server. */
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
