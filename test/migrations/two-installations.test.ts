// @module-tag nightly
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { databaseStatements, generateSecrets, secretFiles } from '@ces/chart/secrets';
import { migrate } from '@ces/chassis/postgres/migrate';
import { createLogger } from '@ces/chassis/telemetry/log';
import { DATABASE_SERVICES, databaseSetting, ownerDatabaseSetting, REPOSITORY } from '@ces/topology/services';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

// Two installations on one Postgres server, created by the documented statements (decision 0038).

const logger = createLogger('test', 'silent');
const cleanup = new AsyncDisposableStack();
const installations = ['first', 'second'].map((word) =>
  install(`${word}-${process.pid}${randomBytes(3).toString('hex')}`),
);

beforeAll(async () => {
  const server = await connect(inject('postgresUrl'));
  for (const { statements, roleOf } of installations) {
    for (const statement of statements) await server.query(statement);
    for (const { name } of DATABASE_SERVICES)
      cleanup.defer(async () => {
        await server.query(`drop database "${roleOf(name)}" with (force)`);
        await server.query(`drop role "${roleOf(name)}", "${roleOf(name)}_owner"`);
      });
  }
  for (const { migrateOne } of installations) for (const { name } of DATABASE_SERVICES) await migrateOne(name);
});
afterAll(() => cleanup.disposeAsync());

test.each(DATABASE_SERVICES.map(({ name }) => name))(
  'the role of each %s has the rights of an installation with usual names, and no other role has any',
  async (service) => {
    await using usual = await createTestDatabase(service as Parameters<typeof createTestDatabase>[0]);
    const expected = await rightsIn(usual.ownerUrl);
    expect(expected.get(service)?.length).toBeGreaterThan(5);
    for (const { roleOf, ownerUrlOf } of installations) {
      const found = await rightsIn(ownerUrlOf(service));
      expect([...found.keys()].toSorted()).toEqual([roleOf(service), `${roleOf(service)}_owner`, 'public'].toSorted());
      expect(found.get(roleOf(service))).toEqual(expected.get(service));
    }
  },
);

test('no role reaches a database of the other installation', async () => {
  const [first, second] = installations;
  for (const { name } of DATABASE_SERVICES)
    for (const url of [first?.urlOf(name), first?.ownerUrlOf(name)]) {
      const other = new URL(url ?? '');
      other.pathname = `/${second?.roleOf(name)}`;
      await expect(connect(other.href)).rejects.toThrow('permission denied for database');
    }
});

test('a name that no role can be given by is refused before anything is changed', async () => {
  const [first] = installations;
  const directory = path.join(REPOSITORY, 'services/ledger/migrations');
  const roles = { written: 'ledger', actual: 'a"; drop role ledger; --' };
  await expect(
    migrate(directory, first?.ownerUrlOf('ledger') ?? '', logger, { lockTimeoutMs: 500, attempts: 1, roles }),
  ).rejects.toThrow('is no name of a role');
});

function install(prefix: string) {
  const secrets = generateSecrets();
  const roleOf = (service: string) => `${prefix}_${service}`;
  const { host } = new URL(inject('postgresUrl'));
  const files = secretFiles(secrets, () => host, 'alice', roleOf);
  const urlOf = (service: Name) => files.get(service)?.[databaseSetting(service)] ?? '';
  const ownerUrlOf = (service: Name) => files.get(`${service}-owner`)?.[ownerDatabaseSetting(service)] ?? '';
  return {
    roleOf,
    urlOf,
    ownerUrlOf,
    statements: databaseStatements(secrets, roleOf).split('\n').filter(Boolean),
    migrateOne: (service: Name) =>
      migrate(path.join(REPOSITORY, 'services', service, 'migrations'), ownerUrlOf(service), logger, {
        lockTimeoutMs: 500,
        attempts: 60,
        roles: { written: service, actual: roleOf(service) },
      }),
  };
}

type Name = (typeof DATABASE_SERVICES)[number]['name'];

async function rightsIn(ownerUrl: string): Promise<Map<string, string[]>> {
  const owner = await connect(ownerUrl);
  const { rows } = await owner.query<{ role: string; rights: string[] }>(`
    select coalesce(nullif(pg_get_userbyid(grantee), 'unknown (OID=0)'), 'public') as role,
      array_agg(what || ' ' || privilege_type order by what, privilege_type) as rights
    from (
      select c.relname as what, a.grantee, a.privilege_type from pg_class c, aclexplode(c.relacl) a
      union all
      select c.relname || '.' || t.attname, a.grantee, a.privilege_type
      from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
      union all
      select p.oid::regprocedure::text, a.grantee, a.privilege_type from pg_proc p, aclexplode(p.proacl) a
    ) right_of
    where what not like 'pg_%' and what not like 'lo_%' and what !~ '^entry_[0-9]' and grantee <> 10
    group by 1`);
  return new Map(rows.map(({ role, rights }) => [role, rights]));
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanup.defer(() => client.end());
  return client;
}
