import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { startPostgres } from '@ces/servers/postgres/server';
import pg from 'pg';

/** An index database for a measurement. */
export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
}

/** The same on a server of its own. */
export interface ServedDatabase extends BenchDatabase {
  readonly serverPid: number;
  /** Of the owner of its schema. */
  readonly ownerUrl: string;
}

const NAME = 'search_bench';
const PASSWORD = 'bench';

/** A database on the server at `serverUrl`, kept from one measurement to the next, or on a server of its own that goes again. */
export async function openBenchDatabase(serverUrl: string | undefined, fresh: boolean): Promise<BenchDatabase> {
  if (serverUrl) return { url: await prepare(serverUrl, fresh), [Symbol.asyncDispose]: async () => undefined };
  return await openOwnDatabase();
}

/** A database on a server of its own that goes again. */
export async function openOwnDatabase(): Promise<ServedDatabase> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'search-bench-'));
  const kept = await openKeptDatabase(directory);
  return {
    ...kept,
    async [Symbol.asyncDispose]() {
      /* For a superuser the server keeps its data elsewhere, behind a link. */
      const data = await realpath(path.join(directory, 'postgres'));
      await kept[Symbol.asyncDispose]();
      await rm(data, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A database on a server of its own in a folder that stays, with what an earlier run left there. */
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
    ownerUrl: addressOf(server.superuserUrl('postgres'), 'search_owner'),
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
