import { execFile } from 'node:child_process';
import { chown, mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '@ces/chassis/telemetry/log';
import { backUp } from '@ces/local/backup/dump';
import { restore } from '@ces/local/backup/load';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll } from '@ces/servers/postgres/databases';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { DATABASE_SERVICES, type ServiceName } from '@ces/topology/services';
import pg from 'pg';
import type { Cluster } from '../../cluster/cluster.ts';

export const KINDS = ['dump', 'snapshot', 'point in time'] as const;
export type Kind = (typeof KINDS)[number];

/** The password of the drill's servers (`cluster/servers.ts`). */
const PASSWORD = 'chaos';
const SETTINGS = { fsync: 'off', max_connections: '300', shared_buffers: '128MB' };
const run = promisify(execFile);

/** A database as of one moment: a dump, a copy of the server's files, or such a copy and the log up to the moment. */
export interface Copy {
  readonly kind: Kind;
  readonly directory: string;
  /** The moment, by the clock of the database. */
  readonly at: string;
}

/** What a point in time needs before its moment; nothing for the other kinds. */
export async function beginCopy({ servers }: Cluster, kind: Kind, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  if (kind === 'point in time') await copyFiles(servers.postgres.current, servers.directory, directory);
}

/** The moment is now. */
export async function takeCopy(cluster: Cluster, kind: Kind, service: ServiceName, directory: string): Promise<Copy> {
  const { servers } = cluster;
  if (kind === 'dump') await backUp(ownerUrlOf(cluster, service), path.join(directory, 'dump'));
  if (kind === 'snapshot') await copyFiles(servers.postgres.current, servers.directory, directory);
  return { kind, directory, at: await readClock(servers.postgres.current) };
}

/** A server of its own with the database as of the moment of its copy. */
export async function openCopy(cluster: Cluster, copy: Copy, service: ServiceName): Promise<PostgresServer> {
  const { servers, secrets } = cluster;
  const pointInTime = copy.kind === 'point in time';
  if (pointInTime) await writeBeside(await filesBelow(path.join(copy.directory, 'server')), 'recovery.signal', '');
  const log = path.join(await filesBelow(path.join(servers.directory, 'postgres')), 'pg_wal');
  const server = await startPostgres({
    dataDirectory: path.join(copy.directory, 'server'),
    port: await freePort(0),
    password: PASSWORD,
    settings: {
      ...SETTINGS,
      ...(pointInTime && {
        restore_command: `cp ${log}/%f %p`,
        recovery_target_time: copy.at,
        recovery_target_action: 'promote',
      }),
    },
    logFile: path.join(servers.directory, `restored-${service}.log`),
  });
  if (copy.kind !== 'dump') return server;
  const databases = await makeDatabases(DATABASE_SERVICES, server.superuserUrl('postgres'), secrets);
  await migrateAll(databases, createLogger('restore', 'silent'));
  await restore(databases.get(service)?.ownerUrl ?? '', path.join(copy.directory, 'dump'));
  return server;
}

export function ownerUrlOf({ servers: { databases } }: Pick<Cluster, 'servers'>, service: ServiceName): string {
  return databases.get(service)?.ownerUrl ?? '';
}

/** As `pg_basebackup` does it: the files between the server's own begin and end, the label, and the log that belongs to them. */
async function copyFiles(server: PostgresServer, from: string, directory: string): Promise<void> {
  const source = await filesBelow(path.join(from, 'postgres'));
  const copy = path.join(directory, 'server', path.basename(source));
  await mkdir(path.dirname(copy), { recursive: true });
  await withSuperuser(server, async (client) => {
    await client.query(`select pg_backup_start('drill', true)`);
    // Files may go while they are copied; what they held is in the log.
    await run('cp', ['-a', source, copy]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await run('cp', ['-a', `${source}/pg_wal/.`, `${copy}/pg_wal/`]);
    await writeBeside(copy, 'backup_label', rows[0]?.labelfile ?? '');
  });
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(copy, name), { force: true });
}

/** The server may run as another account: the file belongs to whoever owns the others. */
async function writeBeside(directory: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(path.join(directory, 'PG_VERSION'));
  await writeFile(path.join(directory, name), text);
  await chown(path.join(directory, name), uid, gid);
}

/** The one cluster below a data directory. */
async function filesBelow(directory: string): Promise<string> {
  const { stdout } = await run('find', [`${await realpath(directory)}/`, '-maxdepth', '2', '-name', 'PG_VERSION']);
  return path.dirname(stdout.trim());
}

async function readClock(server: PostgresServer): Promise<string> {
  return await withSuperuser(server, async (client) => {
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
    return rows[0]?.at ?? '';
  });
}

async function withSuperuser<T>(server: PostgresServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.superuserUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
