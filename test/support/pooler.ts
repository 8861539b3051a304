import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serverAccount } from '@ces/servers/processes/account';
import { spawnServer } from '@ces/servers/processes/server';
import { DATABASE_SERVICES } from '@ces/topology/services';

export interface PoolerOptions {
  /** PgBouncer 1.21 or newer. */
  readonly program: string;
  readonly directory: string;
  readonly port: number;
  readonly postgresPort: number;
  readonly password: string;
}

const READY_WITHIN_MS = 10_000;
const STOPPED_WITHIN_MS = 5_000;

/**
 * Starts PgBouncer in transaction mode for the service roles, with the settings of
 * deploy/docs/install.md.
 */
export async function startPooler(options: PoolerOptions): Promise<AsyncDisposable> {
  const { program, directory, port, postgresPort, password } = options;
  const users = path.join(directory, 'pooler-users.txt');
  const configuration = path.join(directory, 'pooler.ini');
  await writeFile(users, DATABASE_SERVICES.map(({ name }) => `"${name}" "${password}"\n`).join(''));
  await writeFile(configuration, configurationOf(port, postgresPort, users));
  const server = await spawnServer({
    program,
    parameters: [configuration],
    account: await serverAccount(),
    logFile: path.join(directory, 'pooler.log'),
    orphanSignal: 'INT',
  });
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await server.output()).includes('process up')) {
    if (performance.now() > deadline) throw new Error(`the pooler is not up: ${await server.output()}`);
    await pause(20);
  }
  return { [Symbol.asyncDispose]: () => server.stop('SIGINT', STOPPED_WITHIN_MS) };
}

function configurationOf(port: number, postgresPort: number, users: string): string {
  return `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
max_prepared_statements = 400
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options
max_client_conn = 5000
default_pool_size = 10
server_idle_timeout = 5
`;
}
