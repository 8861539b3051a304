import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '@ces/chassis/postgres/migrate';
import { freePort } from '@ces/servers/ports';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { removeDirectory } from '@ces/servers/processes/account';
import pg from 'pg';
import { programLogger } from './program-log.ts';

const SERVICES_DIRECTORY = path.resolve(import.meta.dirname, '../../services');
const PASSWORD = 'test';
const FAST = { fsync: 'off', shared_buffers: '64MB', max_connections: '60' };

export interface ReplicatedDatabase extends AsyncDisposable {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly ownerUrl: string;
  onReplica(statement: string): Promise<unknown[]>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

/** Copies the files of the stopped primary to create the replica. */
export async function createReplicatedDatabase(service: string): Promise<ReplicatedDatabase> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-replica-'));
  await chmod(directory, 0o711);
  const [primaryPort, replicaPort] = [await freePort(0), await freePort(0)];
  const start = (name: string, port: number, settings = {}) =>
    startPostgres({
      dataDirectory: path.join(directory, name),
      port,
      password: PASSWORD,
      settings: { ...FAST, ...settings },
      logFile: path.join(directory, `${name}.log`),
    });
  const first = await start('primary', primaryPort);
  await makeDatabase(first, service);
  await first[Symbol.asyncDispose]();
  await promisify(execFile)('cp', ['-a', path.join(directory, 'primary'), path.join(directory, 'replica')]);
  await writeFile(path.join(directory, 'replica/18/standby.signal'), '');
  const primary = await start('primary', primaryPort);
  const follow = () =>
    start('replica', replicaPort, {
      primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=postgres password=${PASSWORD}`,
    });
  let replica: PostgresServer | undefined = await follow();
  const address = (port: number, role: string) => `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${service}`;
  return {
    primaryUrl: address(primaryPort, service),
    replicaUrl: address(replicaPort, service),
    ownerUrl: address(primaryPort, `${service}_owner`),
    onReplica: (statement) => query(address(replicaPort, 'postgres'), statement),
    async stopReplica() {
      await replica?.[Symbol.asyncDispose]();
      replica = undefined;
    },
    async startReplica() {
      replica = await follow();
    },
    async [Symbol.asyncDispose]() {
      await replica?.[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
      for (const name of ['primary', 'replica']) await removeDirectory(path.join(directory, name));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function makeDatabase(server: PostgresServer, service: string): Promise<void> {
  const superuser = server.superuserUrl('postgres');
  for (const role of [`${service}_owner`, service])
    await query(superuser, `create role ${role} login password '${PASSWORD}'`);
  await query(superuser, `create database ${service} owner ${service}_owner`);
  const owner = new URL(server.superuserUrl(service));
  owner.username = `${service}_owner`;
  await migrate(path.join(SERVICES_DIRECTORY, service, 'migrations'), owner.href, programLogger('test'));
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
