import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import { createPool } from '@ces/chassis/postgres/pool';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { startPostgres } from '@ces/servers/postgres/server';

/** A record database for a measurement. */
export interface BenchDatabase extends AsyncDisposable {
  /** As the service's own role. */
  readonly url: string;
}

const NAME = 'lookup_bench';
const PASSWORD = 'bench';

/** An empty record on a server of its own, which goes again. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'lookup-bench-'));
  const server = await startPostgres({
    dataDirectory: path.join(directory, 'postgres'),
    port: await freePort(0),
    password: PASSWORD,
    logFile: path.join(directory, 'postgres.log'),
  });
  return {
    url: await prepare(server.superuserUrl('postgres')),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function prepare(serverUrl: string): Promise<string> {
  const logger = createLogger('bench', 'warn');
  const server = createPool({ connectionString: serverUrl, max: 1, applicationName: 'bench', logger });
  for (const role of ['lookup_owner', 'lookup']) await server.query(`create role ${role} login password '${PASSWORD}'`);
  await server.query(`create database ${NAME} owner lookup_owner`);
  await server.end();
  const migrations = path.resolve(import.meta.dirname, '../../../../services/lookup/migrations');
  await migrate(migrations, addressOf(serverUrl, 'lookup_owner'), logger);
  return addressOf(serverUrl, 'lookup');
}

function addressOf(serverUrl: string, role: string): string {
  const url = new URL(serverUrl);
  url.username = role;
  url.password = PASSWORD;
  url.pathname = `/${NAME}`;
  return url.href;
}
