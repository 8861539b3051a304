import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { showOutput } from '@ces/test/support/program-log.ts';

/** A server in a separate process, so that its memory can be measured. */
export interface GuardedProcess extends AsyncDisposable {
  readonly rpc: string;
  readonly admin: string;
  peakMiB(): number;
}

export async function startGuardedProcess(): Promise<GuardedProcess> {
  const child = fork(path.join(import.meta.dirname, 'guarded-server.ts'), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  showOutput(child.stdout, child.stderr);
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
