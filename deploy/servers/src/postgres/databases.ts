import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import { secretOf } from '@ces/topology/environment';
import {
  DATABASE_SERVICES,
  ownerDatabaseSetting,
  REPOSITORY,
  type Service,
  type ServiceName,
} from '@ces/topology/services';
import pg from 'pg';

export interface ServiceDatabase {
  readonly url: string;
  readonly ownerUrl: string;
}

/** Creates a database and two roles for each service, without access for others. */
export async function makeDatabases(
  services: readonly Service[],
  superuserUrl: string,
  secrets: Readonly<Record<string, string>>,
): Promise<Map<ServiceName, ServiceDatabase>> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const existing = new Set(rows.map((row) => row.datname));
    for (const { name } of services) {
      await makeRole(client, name, secretOf(secrets, `${name}_password`));
      await makeRole(client, `${name}_owner`, secretOf(secrets, `${name}_owner_password`));
      if (!existing.has(name)) await client.query(`create database ${name} owner ${name}_owner`);
      await client.query(`revoke all on database ${name} from public; grant connect on database ${name} to ${name}`);
    }
  } finally {
    await client.end();
  }
  const address = (database: string, role: string) => {
    const url = new URL(superuserUrl);
    Object.assign(url, { username: role, password: secretOf(secrets, `${role}_password`), pathname: `/${database}` });
    return url.href;
  };
  return new Map(
    services.map(({ name }) => [name, { url: address(name, name), ownerUrl: address(name, `${name}_owner`) }]),
  );
}

/** Applies all migrations in `tree`. On failure it still waits for the other databases. */
export async function migrateAll(
  databases: ReadonlyMap<ServiceName, ServiceDatabase>,
  logger: Logger,
  tree = REPOSITORY,
): Promise<void> {
  const outcomes = await Promise.allSettled(
    DATABASE_SERVICES.map(async ({ name, folder }) => {
      const directory = path.join(tree, folder, 'migrations');
      await migrate(directory, databases.get(name)?.ownerUrl ?? '', logger).catch((error: Error) => {
        const [reason] = error.message.split('\n');
        throw new StartupError(
          `the ${name} database could not be migrated (${reason}): start with --fresh, or name the role that owns the tables of a database of yours in ${ownerDatabaseSetting(name)}.`,
        );
      });
    }),
  );
  const failed = outcomes.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

async function makeRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  await client.query(`${rowCount ? 'alter' : 'create'} role ${role} login password ${client.escapeLiteral(password)}`);
}
