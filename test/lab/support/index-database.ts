import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { startPostgres } from '@ces/servers/postgres/server';
import pg from 'pg';

export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
}

export interface ServedDatabase extends BenchDatabase {
  readonly serverPid: number;
}

const NAME = 'search_bench';
const PASSWORD = 'bench';

/** Opens a persistent database at `serverUrl`, or one on a temporary server. */
export async function openBenchDatabase(serverUrl: string | undefined, fresh: boolean): Promise<BenchDatabase> {
  if (serverUrl) return { url: await prepare(serverUrl, fresh), [Symbol.asyncDispose]: async () => undefined };
  return await openOwnDatabase();
}

export async function openOwnDatabase(): Promise<ServedDatabase> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'search-bench-'));
  const kept = await openKeptDatabase(directory);
  return {
    ...kept,
    async [Symbol.asyncDispose]() {
      /* As root, the server stores its data elsewhere, behind a symbolic link. */
      const data = await realpath(path.join(directory, 'postgres'));
      await kept[Symbol.asyncDispose]();
      await rm(data, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Opens a database on a dedicated server in a persistent folder, with the data of earlier runs. */
export async function openKeptDatabase(directory: string): Promise<ServedDatabase> {
  const server = await startPostgres({
    dataDirectory: path.join(directory, 'postgres'),
    port: await freePort(0),
    password: PASSWORD,
    logFile: path.join(directory, 'postgres.log'),
  });
  return {
    url: await prepare(server.superuserUrl('postgres'), false),
    serverPid: server.pid,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function prepare(serverUrl: string, fresh: boolean): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (const role of ['search_owner', 'search'])
      await client.query(`do $$ begin create role ${role} login password '${PASSWORD}';
        exception when duplicate_object then alter role ${role} password '${PASSWORD}'; end $$`);
    if (fresh) await client.query(`drop database if exists ${NAME} with (force)`);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
    if (!rowCount) await client.query(`create database ${NAME} owner search_owner`);
    const migrations = path.resolve(import.meta.dirname, '../../../services/search/migrations');
    await migrate(migrations, addressOf(serverUrl, 'search_owner'), createLogger('bench', 'warn'));
    return addressOf(serverUrl, 'search');
  } finally {
    await client.end();
  }
}

function addressOf(serverUrl: string, role: string): string {
  const url = new URL(serverUrl);
  url.username = role;
  url.password = PASSWORD;
  url.pathname = `/${NAME}`;
  return url.href;
}
