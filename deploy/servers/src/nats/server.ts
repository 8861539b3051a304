import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { OWN_ACCOUNT } from '../processes/account.ts';
import { type ServerProcess, spawnServer } from '../processes/server.ts';
import { isRunningWith } from '../processes/system-processes.ts';
import { findNatsServer } from './binary.ts';

export interface NatsServer extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly ended: Promise<number>;
}

export interface NatsOptions {
  readonly storeDirectory: string;
  readonly port: number;
  readonly cacheDirectory: string;
  readonly logFile: string;
  /** Password of the user `NATS_USER`; absent: no authentication. */
  readonly password?: string;
  readonly configFile?: string;
  readonly say?: (line: string) => void;
}

export const NATS_USER = 'ces';

const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 5_000;

export async function startNats(options: NatsOptions): Promise<NatsServer> {
  const program = await findNatsServer(options.cacheDirectory, options.say);
  await mkdir(options.storeDirectory, { recursive: true, mode: 0o700 });
  const pidFile = path.join(options.storeDirectory, 'nats-server.pid');
  await stopLeftover(pidFile, options.storeDirectory);
  const configFile = options.password === undefined ? options.configFile : await writeAccess(options);
  const server = await spawnServer({
    program,
    parameters: [
      ...['--addr', '127.0.0.1', '--port', String(options.port), '--pid', pidFile],
      ...['--jetstream', '--store_dir', options.storeDirectory],
      ...(configFile ? ['--config', configFile] : []),
    ],
    account: OWN_ACCOUNT,
    logFile: options.logFile,
    orphanSignal: 'TERM',
  });
  await untilReady(server, options);
  return {
    pid: server.pid,
    url: `nats://127.0.0.1:${options.port}`,
    ended: server.ended,
    [Symbol.asyncDispose]: () => server.stop('SIGTERM', STOPPED_WITHIN_MS),
  };
}

/** Writes the password to a file with mode 0600, because all users can read process arguments. */
async function writeAccess({ storeDirectory, password, configFile }: NatsOptions): Promise<string> {
  const file = path.join(storeDirectory, 'access.conf');
  const more = configFile ? `include ${JSON.stringify(path.relative(storeDirectory, configFile))}\n` : '';
  await writeFile(file, `${more}authorization { user: ${NATS_USER}, password: ${JSON.stringify(password)} }\n`, {
    mode: 0o600,
  });
  return file;
}

/** It survived its killed parent and holds the store. */
async function stopLeftover(pidFile: string, storeDirectory: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!pid || !(await isRunningWith(pid, 'nats-server', storeDirectory))) return;
  process.kill(pid, 'SIGTERM');
  for (
    let waited = 0;
    waited < STOPPED_WITHIN_MS && (await isRunningWith(pid, 'nats-server', storeDirectory));
    waited += 25
  )
    await pause(25);
}

/** Waits for the server's own log line, because another process may answer at the port. */
async function untilReady(server: ServerProcess, options: NatsOptions): Promise<void> {
  let hasEnded = false;
  void server.ended.then(() => {
    hasEnded = true;
  });
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const output = await server.output();
    if (output.includes('Server is ready')) return;
    if (hasEnded || performance.now() > deadline) {
      await server.stop('SIGTERM', STOPPED_WITHIN_MS);
      throw new StartupError(explain(await server.output(), options));
    }
    await pause(20);
  }
}

function explain(output: string, options: NatsOptions): string {
  const reason = output
    .trim()
    .split('\n')
    .findLast((line) => /\[FTL\]|\[ERR\]|nats-server:/.test(line))
    ?.replace(/^.*\] /, '');
  return `nats-server did not start${reason ? ` (${reason})` : ''}: see ${options.logFile}; ${options.storeDirectory} may be removed, nothing is kept there alone.`;
}
