import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';

/** A server in a process of its own, so that its memory can be measured. */
export interface GuardedProcess extends AsyncDisposable {
  readonly rpc: string;
  readonly admin: string;
  /** The port that takes HTTP/1.1. */
  readonly previous: string;
  /** The most memory it ever had, in MiB. */
  peakMiB(): number;
}

export async function startGuardedProcess(): Promise<GuardedProcess> {
  const child = fork(path.join(import.meta.dirname, 'guarded-server.ts'), [String(await freePort())], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [addresses] = await once(child, 'message');
  return {
    ...addresses,
    peakMiB: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
