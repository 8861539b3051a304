import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@ces/servers/ports';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { removeDirectory, serverAccount } from '@ces/servers/processes/account';
import pg from 'pg';
import type { Authority } from './certificates.ts';

const PASSWORD = 'test';
const FAST = { fsync: 'off', shared_buffers: '64MB', max_connections: '100' };
/** The superuser needs only a password. All other roles need TLS and a client certificate. */
const RULES = `host all postgres all scram-sha-256
hostssl all all all scram-sha-256 clientcert=verify-ca
`;

export interface TlsPostgres extends AsyncDisposable {
  readonly server: PostgresServer;
  replace(by: Authority, trusted: string): Promise<void>;
  query(statement: string): Promise<pg.QueryResult['rows']>;
}

export async function startTlsPostgres(authority: Authority): Promise<TlsPostgres> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-tls-postgres-'));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => {
    await removeDirectory(path.join(directory, 'postgres'));
    await rm(directory, { recursive: true, force: true });
  });
  await chmod(directory, 0o711);
  const shown = path.join(directory, 'shown');
  await mkdir(shown);
  const files = await install(shown, authority, authority.pem);
  await writeFile(path.join(directory, 'rules'), RULES);
  const server = cleanup.use(
    await startPostgres({
      dataDirectory: path.join(directory, 'postgres'),
      port: await freePort(0),
      password: PASSWORD,
      settings: { ...FAST, ...files, ssl: 'on', hba_file: path.join(directory, 'rules') },
      logFile: path.join(directory, 'postgres.log'),
    }),
  );
  const query = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };
  const kept = cleanup.move();
  return {
    server,
    query,
    async replace(by, trusted) {
      await install(shown, by, trusted);
      await query('select pg_reload_conf()');
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function install(folder: string, by: Authority, trusted: string) {
  const { certFile, keyFile, caFile } = await by.issue(folder, ['localhost']);
  await writeFile(caFile, trusted);
  const { id } = await serverAccount();
  if (id) for (const owned of [folder, certFile, keyFile, caFile]) await chown(owned, id.uid, id.gid);
  return { ssl_cert_file: certFile, ssl_key_file: keyFile, ssl_ca_file: caFile };
}
