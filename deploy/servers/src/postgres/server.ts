import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '@ces/chassis/service/lifecycle';
import pg from 'pg';
import { serverAccount } from '../processes/account.ts';
import { type ServerProcess, spawnServer } from '../processes/server.ts';
import { isRunningWith } from '../processes/system-processes.ts';
import { findBinaries } from './binaries.ts';
import { openCluster } from './cluster.ts';

export interface PostgresOptions {
  readonly dataDirectory: string;
  readonly port: number;
  /** Password of the superuser `postgres`, set by initdb and used for connections. */
  readonly password: string;
  /** Overrides of the server's settings, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface PostgresServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly ended: Promise<number>;
  superuserUrl(database: string): string;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '512MB',
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
} as const;

/** Long, because crash recovery replays the WAL first. */
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 20_000;

export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await serverAccount();
  const binaries = await findBinaries(account);
  const cluster = await openCluster(binaries, options.dataDirectory, options.password, account);
  await stopLeftover(cluster);
  const settings = { ...SETTINGS, port: String(options.port), ...options.settings };
  const server = await spawnServer({
    program: binaries.postgres,
    parameters: ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    account,
    env: options.env,
    logFile: options.logFile,
    orphanSignal: 'INT',
  });
  const superuserUrl = (database: string) =>
    `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
  await untilReady(cluster, server, options);
  await checkOpens(superuserUrl('postgres'), server, options);
  return {
    pid: server.pid,
    port: options.port,
    ended: server.ended,
    superuserUrl,
    [Symbol.asyncDispose]: () => server.stop('SIGINT', STOPPED_WITHIN_MS),
  };
}

/** It survived its killed parent; waits until the cluster is released. */
async function stopLeftover(cluster: string): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !(await isRunningWith(pid, 'postgres', cluster))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < STOPPED_WITHIN_MS && existsSync(pidFile); waited += 50) await pause(50);
}

/** Waits for the server's own status, because another process may answer at the port. */
async function untilReady(cluster: string, server: ServerProcess, options: PostgresOptions): Promise<void> {
  let exitCode: number | undefined;
  void server.ended.then((code) => {
    exitCode = code;
  });
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await saysReady(cluster, server.pid))) {
    if (exitCode !== undefined || performance.now() > deadline) {
      await server.stop('SIGINT', STOPPED_WITHIN_MS);
      throw new StartupError(explain(await server.output(), exitCode, options));
    }
    await pause(20);
  }
}

async function saysReady(cluster: string, pid: number): Promise<boolean> {
  const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && /^(ready|standby)$/.test(lines[7]?.trim() ?? '');
}

async function checkOpens(url: string, server: ServerProcess, options: PostgresOptions): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: READY_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    await server.stop('SIGINT', STOPPED_WITHIN_MS);
    const { code, message } = error as Error & { code?: string };
    const reason =
      code === '28P01' ? 'belongs to another stack (its password differs)' : `cannot be opened (${message})`;
    throw new StartupError(
      `the database in ${options.dataDirectory} ${reason}: start with --fresh, or name another directory in CES_DATA_DIR.`,
    );
  }
}

function explain(output: string, exitCode: number | undefined, options: PostgresOptions): string {
  const reason = output
    .trim()
    .split('\n')
    .findLast((line) => /FATAL|PANIC|ERROR/.test(line))
    ?.replace(/^.*?(FATAL|PANIC|ERROR): */, '');
  const what = exitCode === undefined ? 'did not become ready' : `ended with code ${exitCode}`;
  return `Postgres ${what}${reason ? ` (${reason})` : ''}: see ${options.logFile}; start with --fresh to create the data again.`;
}
