import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { REPOSITORY, type Service } from '@ces/topology/services';
import type { Restartable } from './supervise.ts';

export interface ServiceProcess extends Restartable {
  readonly url: string;
  readonly adminUrl: string;
}

/** A small machine starts six programs at once; failures are reported at once. */
const READY_WITHIN_MS = 300_000;
const STOPPED_WITHIN_MS = 20_000;

/**
 * Its own process group keeps Ctrl-C from it, so services stop in order. If this process is killed,
 * the IPC channel closes and the service exits.
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

/** Finds the line in which a service says why it did not start; it is not JSON, unlike the log. */
async function explain(name: string, outcome: number | string, logFile: string, from: number): Promise<string> {
  const written = (await readFile(logFile)).subarray(from).toString('utf8').trim().split('\n');
  const reason = written.findLast((line) => line.startsWith(`${name}: `));
  return (
    reason ?? `${name} did not start (${typeof outcome === 'number' ? `code ${outcome}` : outcome}): see ${logFile}.`
  );
}
