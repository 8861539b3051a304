import { secretNames } from '@ces/topology/environment';
import { DATABASE_SERVICES } from '@ces/topology/services';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Servers, startServers } from '../../lab/cluster/servers.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await startServers(Object.fromEntries(secretNames().map((name) => [name, `secret-of-${name}`])));
}, 120_000);
afterAll(() => servers[Symbol.asyncDispose]());

const NAMES = DATABASE_SERVICES.map(({ name }) => name);
type Name = (typeof NAMES)[number];

const urlOf = (name: Name, database: Name = name) => {
  const url = new URL(servers.databases.get(name)?.url ?? '');
  url.pathname = `/${database}`;
  return url.href;
};

/** The code that Postgres refuses a statement with; undefined when it runs. */
async function refusal(url: string, statement: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(`begin; ${statement}; rollback`);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end();
  }
}

async function rowsOf<T extends pg.QueryResultRow>(name: Name, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

const DENIED = '42501';

describe.each(NAMES)('the role of %s', (name) => {
  test('can do nothing to the server, and owns nothing', async () => {
    const [role] = await rowsOf(
      name,
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
              pg_has_role(rolname || '_owner', 'member') as owner,
              (select count(*)::integer from pg_class where relowner = pg_roles.oid) as owned,
              has_database_privilege(current_database(), 'create, temporary') as database,
              has_schema_privilege('public', 'create') as schema
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      ...{ rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false },
      ...{ owner: false, owned: 0, database: false, schema: false },
    });
  });

  test('works on its tables with no more than select, insert, update and delete', async () => {
    const grants = await rowsOf<{ privilege: string; own: boolean }>(
      name,
      `select distinct privilege_type as privilege, is_grantable = 'YES' as own
       from information_schema.role_table_grants where grantee = current_user`,
    );
    expect(grants.length).toBeGreaterThan(0);
    for (const { privilege, own } of grants) {
      expect(['SELECT', 'INSERT', 'UPDATE', 'DELETE']).toContain(privilege);
      expect(own).toBe(false);
    }
  });

  test.each([
    'create table intruder (id integer)',
    'create temporary table intruder (id integer)',
    'insert into migration select * from migration',
    'delete from migration',
    'drop table migration',
    "copy migration to program 'true'",
    "select pg_read_file('PG_VERSION')",
    `set role ${name}_owner`,
    'select rolpassword from pg_authid',
  ])('is refused: %s', async (statement) => {
    expect([DENIED, '42P01']).toContain(await refusal(urlOf(name), statement));
  });

  test('cannot enter the database of another service', async () => {
    expect(await refusal(urlOf(name), 'select 1')).toBeUndefined();
    for (const other of NAMES)
      if (other !== name) expect(await refusal(urlOf(name, other), 'select 1'), other).toBe(DENIED);
  });
});

test.each([
  ['update entry set request_units = 0'],
  ['delete from entry'],
  ['truncate entry'],
  ['alter table entry disable trigger all'],
  ['delete from hold'],
  ['update hold set request_units = 0'],
  ['update credential set digest = digest'],
  ['delete from credential'],
  ['select 1 from audit'],
  ['delete from audit'],
])('the ledger cannot rewrite what it has written: %s', async (statement) => {
  expect(await refusal(urlOf('ledger'), statement)).toBe(DENIED);
});

test('operations cannot move an operation to another account or another key, or read who looked into it', async () => {
  for (const column of ['account_id', 'request_key', 'fingerprint', 'subscription_id', 'credential_id'])
    expect(await refusal(urlOf('operations'), `update operation set ${column} = ${column}`), column).toBe(DENIED);
  expect(await refusal(urlOf('operations'), 'select 1 from audit')).toBe(DENIED);
});
