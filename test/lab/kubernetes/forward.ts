import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** A local port that leads to a pod or a Service. */
export interface Forward extends AsyncDisposable {
  readonly port: number;
}

const AGAIN_AFTER_MS = 500;

/**
 * Forwards a free local port to `target`, for example `service/proxy`, past all network policies.
 * When the pod behind it is lost, the same port leads to the next one.
 */
export async function forward(namespace: string, target: string, port: number): Promise<Forward> {
  const closing = new AbortController();
  let child: ChildProcess | undefined;
  const begin = async (local: string): Promise<number> => {
    const parameters = ['--namespace', namespace, 'port-forward', target, `${local}:${port}`];
    const next = spawn('kubectl', parameters, { stdio: ['ignore', 'pipe', 'ignore'] });
    child = next;
    const found = await localPortOf(next);
    next.once('exit', () => void again(String(found)));
    return found;
  };
  const again = async (local: string): Promise<void> => {
    while (!closing.signal.aborted) {
      const isBegun = await begin(local).then(
        () => true,
        () => false,
      );
      if (isBegun) return;
      await pause(AGAIN_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const local = await begin('');
  return {
    port: local,
    async [Symbol.asyncDispose]() {
      closing.abort();
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function localPortOf(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<number> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port === undefined) continue;
    // kubectl prints a line for each connection, and blocks when the pipe is full.
    child.stdout.resume();
    return Number(port);
  }
  throw new Error('nothing answers behind the port that is forwarded');
}
