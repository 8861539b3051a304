import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const OUTPUT_BYTES = 64 * 1024 * 1024;
const GRACE_MS = 10_000;

/** The output of a program. Rejects with what it wrote. */
export async function run(program: string, parameters: readonly string[], cwd?: string): Promise<string> {
  try {
    return (await execute(program, [...parameters], { cwd, maxBuffer: OUTPUT_BYTES })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} failed: ${stderr || stdout || message}`);
  }
}

/** A program of the node. Disposal ends it. */
export interface NodeProcess extends AsyncDisposable {
  output(): Promise<string>;
}

/** It needs no guard: the end of the node's first process ends it too. */
export async function startProcess(
  program: string,
  parameters: readonly string[],
  logFile: string,
): Promise<NodeProcess> {
  const log = await open(logFile, 'a', 0o600);
  const child = spawn(program, parameters, { cwd: '/', stdio: ['ignore', log.fd, log.fd] });
  await once(child, 'spawn');
  await log.close();
  return {
    output: () => readFile(logFile, 'utf8'),
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(timer);
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

/** Polls until `isSo` resolves with true. Rejects after `withinMs`. */
export async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await isSo()); await pause(200))
    if (performance.now() - begun > withinMs) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
}
