import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { REPOSITORY } from '@ces/topology/services';

const CES = path.join(REPOSITORY, 'deploy/cli/bin/ces.mjs');

/** Returns its exit code. `--until-searchable` leaves the reading to the service. */
export async function readSources(directory: string, more: readonly string[], signal: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, [CES, 'source', 'start', '--reason', 'npm start -- --live', ...more], {
    env: { ...process.env, CES_DATA_DIR: directory },
    stdio: 'inherit',
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  const [code] = await once(child, 'exit');
  signal.removeEventListener('abort', end);
  return code ?? 1;
}
