import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import { StartupError } from '@ces/chassis/service/lifecycle';
import type { Logger } from '@ces/chassis/telemetry/log';
import {
  DATABASE_SERVICES,
  databaseSetting,
  type LocalService,
  ownerDatabaseSetting,
  REPOSITORY,
  type ServiceName,
  secretOf,
} from '@ces/topology/services';
import pg from 'pg';

/** A service's database: the role that it runs with, and the one that owns its tables. */
export interface ServiceDatabase {
  readonly url: string;
  readonly ownerUrl: string;
}

/** The databases that the environment names instead of embedded ones, each of them reachable. */
export async function findOutsideDatabases(env: NodeJS.ProcessEnv): Promise<Map<ServiceName, ServiceDatabase>> {
  const found = new Map<ServiceName, ServiceDatabase>();
  for (const { name } of DATABASE_SERVICES) {
    const setting = databaseSetting(name);
    const url = env[setting];
    if (!url) continue;
    const ownerUrl = env[ownerDatabaseSetting(name)] || url;
    await check(setting, url);
    if (ownerUrl !== url) await check(ownerDatabaseSetting(name), ownerUrl);
    found.set(name, { url, ownerUrl });
  }
  return found;
}

/** Makes the databases of the services in a server of our own: a database and two roles each, closed to all others. */
export async function makeDatabases(
  services: readonly LocalService[],
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

/** Brings every database to the newest migration of its service in `tree`; none is still under way when one has failed. */
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

async function check(setting: string, url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new StartupError(`${setting} must be an address that starts with postgres://.`);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartupError(`${setting}: ${explain(url, error as Error & { code?: string })}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(url: string, error: Error & { code?: string }): string {
  const { host, username, pathname } = new URL(url);
  switch (error.code) {
    case '28P01':
    case '28000':
      return `the server at ${host} refuses role ${username}: check role and password`;
    case '3D000':
      return `the server at ${host} has no database ${pathname.slice(1)}: make it first, or name another one`;
    default:
      return `no database answers at ${host} (${error.code ?? error.message}): check that the server runs and the address is right`;
  }
}
