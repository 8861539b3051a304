import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '@ces/chassis/postgres/migrate';
import pg from 'pg';
import { inject, onTestFailed } from 'vitest';
import { programLogger } from './program-log.ts';

export type ServiceName = 'ledger' | 'operations' | 'search' | 'lookup';

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** URL with the owner of the schema, for test setup that the service's role may not do. */
  readonly ownerUrl: string;
}

const SERVICES_DIRECTORY = path.resolve(import.meta.dirname, '../../services');

function migrationsOf(service: string): string {
  return path.join(SERVICES_DIRECTORY, service, 'migrations');
}

/**
 * Clones a database at the newest migration from a template. Each run creates the template once.
 */
export async function createTestDatabase(service: ServiceName | 'acquisition'): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `${service}_${process.pid}_${randomBytes(4).toString('hex')}`;
  await withClient(serverUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext($1))`, [service]);
    await ensureTemplate(client, service, serverUrl);
    await client.query(
      `create database ${name} template template_${service} strategy file_copy owner ${service}_owner`,
    );
  });
  return {
    url: throughPooler(address(serverUrl, name, service)),
    ownerUrl: address(serverUrl, name, `${service}_owner`),
    [Symbol.asyncDispose]: () => dropDatabase(name),
  };
}

export interface FormerDatabase extends TestDatabase {
  upgrade(): Promise<number>;
}

/**
 * Creates a database without `firstLeftOut` (a prefix such as '0012') and later migrations. ''
 * leaves out all of them.
 */
export async function createDatabaseBefore(
  service: ServiceName | 'acquisition',
  firstLeftOut: string,
): Promise<FormerDatabase> {
  const serverUrl = inject('postgresUrl');
  const name = `${service}_at_${process.pid}_${randomBytes(4).toString('hex')}`;
  await withClient(serverUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtext($1))`, [service]);
    await createRoles(client, service);
    await client.query(`create database ${name} owner ${service}_owner`);
  });
  const ownerUrl = address(serverUrl, name, `${service}_owner`);
  const migrations = migrationsOf(service);
  const logger = programLogger('test');
  const earlier = await mkdtemp(path.join(os.tmpdir(), 'ces-migrations-'));
  try {
    for (const file of (await readdir(migrations)).filter((one) => one < firstLeftOut))
      await cp(path.join(migrations, file), path.join(earlier, file));
    await migrate(earlier, ownerUrl, logger);
  } finally {
    await rm(earlier, { recursive: true });
  }
  return {
    url: throughPooler(address(serverUrl, name, service)),
    ownerUrl,
    upgrade: () => migrate(migrations, ownerUrl, logger),
    [Symbol.asyncDispose]: () => dropDatabase(name),
  };
}

export function showDatabaseOnFailure(database: TestDatabase): void {
  onTestFailed(() => console.error(`database of this test: ${database.ownerUrl}`));
}

async function dropDatabase(name: string): Promise<void> {
  await withClient(inject('postgresUrl'), (client) => client.query(`drop database if exists ${name} with (force)`));
}

async function ensureTemplate(client: pg.Client, service: string, serverUrl: string): Promise<void> {
  const template = `template_${service}`;
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
  if (rowCount) return;
  await createRoles(client, service);
  await client.query(`create database building_${service} owner ${service}_owner`);
  await migrate(
    migrationsOf(service),
    address(serverUrl, `building_${service}`, `${service}_owner`),
    programLogger('test'),
  );
  await client.query(`alter database building_${service} rename to ${template}`);
}

async function createRoles(client: pg.Client, service: string): Promise<void> {
  for (const role of [`${service}_owner`, service]) {
    const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (!rowCount) await client.query(`create role ${role} login password 'test'`);
  }
}

function address(serverUrl: string, database: string, role: string): string {
  const url = new URL(serverUrl);
  url.username = role;
  url.password = 'test';
  url.pathname = `/${database}`;
  return url.href;
}

function throughPooler(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const port = inject('poolerPort');
  if (port > 0) url.port = String(port);
  return url.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
