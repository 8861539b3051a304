import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll, type ServiceDatabase } from '@ces/servers/postgres/databases';
import { startPostgres } from '@ces/servers/postgres/server';
import { removeDirectory } from '@ces/servers/processes/account';
import { secretNames } from '@ces/topology/environment';
import { DATABASE_SERVICES, type ServiceName } from '@ces/topology/services';
import pg from 'pg';

/** The embedded Postgres of a local stack, with a higher connection limit. */
export interface BenchServer extends AsyncDisposable {
  readonly directory: string;
  readonly pid: number;
  readonly superuserUrl: string;
  readonly databases: ReadonlyMap<ServiceName, ServiceDatabase>;
  readonly durability: { readonly fsync: string; readonly synchronous_commit: string };
}

export async function startBenchServer(): Promise<BenchServer> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-bench-ledger-'));
  await chmod(directory, 0o711);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => {
    await removeDirectory(path.join(directory, 'postgres'));
    await rm(directory, { recursive: true, force: true });
  });
  const postgres = cleanup.use(
    await startPostgres({
      dataDirectory: path.join(directory, 'postgres'),
      port: await freePort(0),
      password: randomBytes(16).toString('hex'),
      settings: { max_connections: '400' },
      logFile: path.join(directory, 'postgres.log'),
    }),
  );
  const superuserUrl = postgres.superuserUrl('postgres');
  const passwords = Object.fromEntries(secretNames().map((name) => [name, randomBytes(16).toString('hex')]));
  const databases = await makeDatabases(DATABASE_SERVICES, superuserUrl, passwords);
  await migrateAll(databases, createLogger('migrate', 'silent'));
  const durability = await readDurability(superuserUrl);
  const kept = cleanup.move();
  return {
    directory,
    pid: postgres.pid,
    superuserUrl,
    databases,
    durability,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function readDurability(url: string): Promise<BenchServer['durability']> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<BenchServer['durability']>(
      "select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit",
    );
    return rows[0] ?? { fsync: '', synchronous_commit: '' };
  } finally {
    await client.end();
  }
}
