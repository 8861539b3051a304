import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Authority, createAuthority } from '@ces/test/support/certificates.ts';
import { MountedSecret } from '@ces/test/support/mounted-secret.ts';
import { startTlsPostgres, type TlsPostgres } from '@ces/test/support/tls-postgres.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ConfigurationError } from '../settings.ts';
import { createLogger } from '../telemetry/log.ts';
import { connectionTo, type PostgresTls } from './connection.ts';
import { migrate } from './migrate.ts';
import { createPool, type Pool } from './pool.ts';
import { waitForMigrations } from './schema.ts';
import { watchDatabase } from './watch.ts';

const logger = createLogger('test', 'silent');
const USUAL = { lockTimeoutMs: 500, attempts: 1 };

let before: Authority;
let postgres: TlsPostgres;
let url: string;
let folder: string;
let cleanup: AsyncDisposableStack;

beforeAll(async () => {
  before = await createAuthority();
  postgres = await startTlsPostgres(before);
  await postgres.query("create role service login password 'test'");
  await postgres.query('create database service owner service');
  url = `postgres://service:test@localhost:${postgres.server.port}/service`;
});
afterAll(() => postgres[Symbol.asyncDispose]());

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  folder = await mkdtemp(path.join(tmpdir(), 'ces-postgres-client-'));
  cleanup.defer(() => rm(folder, { recursive: true }));
});
afterEach(() => cleanup.disposeAsync());

async function shown(by = before) {
  const secret = cleanup.use(await MountedSecret.create(by, ['service']));
  const { certFile, keyFile, caFile } = secret.files;
  return { secret, tls: { postgresCaFile: caFile, postgresCertFile: certFile, postgresKeyFile: keyFile } };
}

function poolWith(tls: PostgresTls | undefined, address = url): Pool {
  const pool = createPool({
    connectionString: address,
    ...(tls && { tls }),
    max: 4,
    applicationName: 'tls',
    pipeline: true,
    logger,
  });
  cleanup.defer(() => pool.end());
  return pool;
}

test('everything that asks the database does so over TLS, and shows a certificate', async () => {
  const { tls } = await shown();
  const migrations = await mkdtemp(path.join(folder, 'migrations-'));
  await writeFile(path.join(migrations, '0001_table.sql'), 'create table one (id int);\n');
  expect(await migrate(migrations, url, logger, { ...USUAL, ...tls })).toBe(1);
  await waitForMigrations({ databaseUrl: url, host: '127.0.0.1', adminPort: 0, ...tls }, migrations, logger);
  const pool = poolWith(tls);
  await pool.query('select 1');
  cleanup.use(await watchDatabase(pool, logger));
  const sessions = () =>
    postgres.query(`select distinct application_name, ssl, version, client_dn
      from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'service' order by 1`);
  const secured = { ssl: true, version: 'TLSv1.3', client_dn: '/CN=service' };
  await expect
    .poll(sessions)
    .toEqual(['tls', 'tls watch'].map((application_name) => ({ application_name, ...secured })));
});

test('a server of another authority or name is not used, and it refuses clients without TLS or a certificate', async () => {
  const { tls } = await shown();
  const { tls: stranger } = await shown(await createAuthority());
  const refusals: readonly [PostgresTls | undefined, string, RegExp][] = [
    [{ ...tls, postgresCaFile: stranger.postgresCaFile }, url, /unable to|self-signed|issuer/],
    [tls, url.replace('localhost', '127.0.0.1'), /altnames/],
    [{ postgresCaFile: tls.postgresCaFile }, url, /certificate/],
    [{ ...stranger, postgresCaFile: tls.postgresCaFile }, url, /unknown ca|certificate/],
    [undefined, url, /pg_hba.conf entry .* no encryption/],
  ];
  for (const [files, address, why] of refusals)
    await expect(poolWith(files, address).query('select 1'), String(why)).rejects.toThrow(why);
});

test('mistakes are sentences at the start', async () => {
  const { tls } = await shown();
  expect(() => connectionTo(url, { ...tls, postgresKeyFile: '' })).toThrow(ConfigurationError);
  expect(() => connectionTo(url, { postgresCaFile: path.join(folder, 'gone') })).toThrow(
    /^CES_POSTGRES_CA_FILE names a file that cannot be read \(ENOENT\): .*gone\.$/,
  );
  expect(() => connectionTo(`${url}?sslmode=require`, tls)).toThrow(
    'CES_POSTGRES_CA_FILE and sslmode in the address of a database are not both set.',
  );
});

test('certificates and authority change under load and no statement fails; new connections show the new one', async () => {
  const { secret, tls } = await shown();
  const pool = poolWith(tls);
  const after = await createAuthority();
  const failed: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver)
      await pool.query('select pg_sleep(0.005)').then(
        () => {
          answered += 1;
        },
        (error: unknown) => failed.push(error),
      );
  });
  const both = `${before.pem}\n${after.pem}`;
  const serials = async () => {
    pool.connections.renew();
    const rows = await postgres.query(
      `select distinct client_serial::text as serial from pg_stat_ssl join pg_stat_activity using (pid)
        where usename = 'service'`,
    );
    return rows.map(({ serial }) => serial);
  };
  await expect.poll(() => answered).toBeGreaterThan(100);
  for (const [by, trusted] of [
    [before, both],
    [after, both],
    [after, after.pem],
  ] as const) {
    // The clients trust both CAs first, as in an operator's rotation.
    await secret.replace(by, trusted);
    const { serialNumber } = new X509Certificate(await readFile(tls.postgresCertFile));
    await expect.poll(serials).toEqual([BigInt(`0x${serialNumber}`).toString()]);
    await postgres.replace(by, trusted);
    const target = answered + 100;
    await expect.poll(() => answered).toBeGreaterThan(target);
  }
  isOver = true;
  await Promise.all(callers);
  expect(failed).toEqual([]);
});
