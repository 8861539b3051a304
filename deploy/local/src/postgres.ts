import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '@ces/chassis/lifecycle';
import pg from 'pg';
import { findBinaries } from './postgres-binaries.ts';
import { type Account, reachableDirectory, serverAccount } from './server-account.ts';

export interface PostgresOptions {
  readonly dataDirectory: string;
  readonly port: number;
  /** Password of the superuser `postgres`; used when the cluster is made, and to connect. */
  readonly password: string;
  /** Server settings beside the defaults, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logFile: string;
}

export interface PostgresServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Address of a database as the superuser. */
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

const READY_WITHIN_MS = 30_000;

/** Starts a real Postgres 18 over a data directory, making the cluster first when there is none. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const account = await serverAccount();
  const binaries = await findBinaries(account);
  const directory = await reachableDirectory(options.dataDirectory, account);
  if (!(await exists(path.join(directory, 'PG_VERSION'))))
    await initialise(binaries.initdb, directory, options.password, account);
  await stopLeftover(directory);
  const log = await open(options.logFile, 'a');
  const settings = { ...SETTINGS, port: String(options.port), ...options.settings };
  const child = spawn(
    binaries.postgres,
    ['-D', directory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...account.spawnAs, detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  await log.close();
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? -1)));
  const superuserUrl = (database: string) =>
    `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
  await untilReady(superuserUrl('postgres'), ended, options);
  child.unref();
  return {
    pid: child.pid ?? -1,
    port: options.port,
    superuserUrl,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function initialise(initdb: string, directory: string, password: string, account: Account): Promise<void> {
  const left = await readdir(directory);
  if (left.length > 0)
    throw new StartupError(
      `${directory} is not a complete database directory (no PG_VERSION): start with --fresh to make it anew, or name another one in CES_DATA_DIR.`,
    );
  const staging = path.join(directory, 'cluster.partial');
  await mkdir(staging, { mode: 0o700 });
  const passwordFile = path.join(directory, `.${randomBytes(6).toString('hex')}`);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account.id) {
    await chown(staging, account.id.uid, account.id.gid);
    await chown(passwordFile, account.id.uid, account.id.gid);
  }
  try {
    await run(initdb, initdbArguments(staging, passwordFile), account);
    await rm(passwordFile);
    await run('/bin/sh', ['-c', 'mv "$0"/* "$1"/ && rmdir "$0"', staging, directory], account);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ];
}

/** A server that a killed parent left behind holds the directory: end it as the directory's owner would. */
async function stopLeftover(directory: string): Promise<void> {
  const pidFile = path.join(directory, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid || !(await isPostgresOf(pid, directory))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 10_000 && (await exists(pidFile)); waited += 50) await pause(50);
}

async function isPostgresOf(pid: number, directory: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.includes('postgres') && command.split('\0').includes(directory);
}

async function untilReady(url: string, ended: Promise<number>, options: PostgresOptions): Promise<void> {
  let exit: number | undefined;
  void ended.then((code) => {
    exit = code;
  });
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      await client.end().catch(() => undefined);
      const refused = (error as { code?: string }).code === '28P01';
      if (exit !== undefined || refused || Date.now() > deadline)
        throw new StartupError(await explain(options, exit, refused));
    }
    await pause(25);
  }
}

async function explain(options: PostgresOptions, exit: number | undefined, refused: boolean): Promise<string> {
  if (refused)
    return `the database in ${options.dataDirectory} belongs to another stack (its password differs): start with --fresh, or name another directory in CES_DATA_DIR.`;
  const log = await readFile(options.logFile, 'utf8').catch(() => '');
  const reason = log
    .trim()
    .split('\n')
    .findLast((line) => /FATAL|PANIC|ERROR/.test(line));
  const what = exit === undefined ? 'did not become ready' : `ended with code ${exit}`;
  return `Postgres ${what}${reason ? ` (${reason.replace(/^.*?(FATAL|PANIC|ERROR): */, '')})` : ''}: see ${options.logFile}; start with --fresh to make the data anew.`;
}

async function run(command: string, parameters: readonly string[], account: Account): Promise<void> {
  const child = spawn(command, parameters, { ...account.spawnAs, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new StartupError(`${path.basename(command)} failed: ${output.trim().split('\n').slice(-3).join(' ')}`);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
