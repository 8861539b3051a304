import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { REPOSITORY, type Service } from '@ces/topology/services';
import type { Restartable } from './supervise.ts';

/** A service that serves, in a process of its own. */
export interface ServiceProcess extends Restartable {
  readonly url: string;
  readonly adminUrl: string;
}

/** Long, since a small machine, or an emulated one, starts six programs at once; one that fails ends and is told of at once. */
const READY_WITHIN_MS = 300_000;
const STOPPED_WITHIN_MS = 20_000;

/**
 * Starts a service and waits until it serves. Its process group is its own, so that Ctrl-C reaches this process alone and services
 * stop in order; when this process is killed the channel closes, and the service ends by itself. `tree` is where the code is,
 * `main` the module of the service that the process runs.
 */
export async function startService(
  service: Service,
  env: Record<string, string>,
  logFile: string,
  tree = REPOSITORY,
  main = 'src/main.ts',
): Promise<ServiceProcess> {
  const log = await open(logFile, 'a', 0o600);
  const { size: logStart } = await log.stat();
  const child = spawn(process.execPath, [path.join(tree, service.folder, main)], {
    cwd: tree,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  // Listens before it awaits anything: a program that fails at once exits meanwhile.
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? -1));
    child.once('error', () => resolve(-1));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  };
  const serving = once(child, 'message', { signal: AbortSignal.timeout(READY_WITHIN_MS) }).then(
    ([message]) => message as { readonly url: string; readonly adminUrl: string },
    () => 'it was not ready in time',
  );
  await log.close();
  const outcome = await Promise.race([serving, ended]);
  if (typeof outcome !== 'object') {
    await stop();
    throw new StartupError(await explain(service.name, outcome, logFile, logStart));
  }
  return { pid: child.pid ?? -1, ended, ...outcome, [Symbol.asyncDispose]: stop };
}

/** A service says in one line of its own, which is no JSON, why it did not start. */
async function explain(name: string, outcome: number | string, logFile: string, from: number): Promise<string> {
  const written = (await readFile(logFile)).subarray(from).toString('utf8').trim().split('\n');
  const reason = written.findLast((line) => line.startsWith(`${name}: `));
  return (
    reason ?? `${name} did not start (${typeof outcome === 'number' ? `code ${outcome}` : outcome}): see ${logFile}.`
  );
}
