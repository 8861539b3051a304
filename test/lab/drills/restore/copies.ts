import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import { backUp } from '@ces/local/backup/dump';
import { restore } from '@ces/local/backup/load';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll } from '@ces/servers/postgres/databases';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { DATABASE_SERVICES, type ServiceName } from '@ces/topology/services';
import type { Cluster } from '../../cluster/cluster.ts';
import { copyServer, filesBelow, withSuperuser, writeBeside } from './base-backup.ts';

export const KINDS = ['dump', 'snapshot', 'point in time'] as const;
export type Kind = (typeof KINDS)[number];

const PASSWORD = 'chaos';
const SETTINGS = { fsync: 'off', max_connections: '300', shared_buffers: '128MB' };

/**
 * A database as of one moment: a dump, a base backup, or a base backup plus WAL up to the moment.
 */
export interface Copy {
  readonly kind: Kind;
  readonly directory: string;
  readonly at: string;
}

/**
 * Takes the base backup that point-in-time recovery needs before its moment. Other kinds need
 * nothing.
 */
export async function beginCopy({ servers }: Cluster, kind: Kind, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  if (kind === 'point in time')
    await copyServer(
      servers.postgres.current,
      path.join(servers.directory, 'postgres'),
      path.join(directory, 'server'),
    );
}

export async function takeCopy(cluster: Cluster, kind: Kind, service: ServiceName, directory: string): Promise<Copy> {
  const { servers } = cluster;
  if (kind === 'dump') await backUp(ownerUrlOf(cluster, service), path.join(directory, 'dump'));
  if (kind === 'snapshot')
    await copyServer(
      servers.postgres.current,
      path.join(servers.directory, 'postgres'),
      path.join(directory, 'server'),
    );
  return { kind, directory, at: await readClock(servers.postgres.current) };
}

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

/**
 * Kills the service and restarts it on the restored server, with `meanwhile` in between. Returns
 * the new database URL.
 */
export async function moveTo(
  cluster: Cluster,
  service: ServiceName,
  server: PostgresServer,
  meanwhile: (url: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const { promise: back, resolve } = Promise.withResolvers<void>();
  const parts = cluster.services.filter(({ name }) => name.startsWith(`${service}-`));
  await Promise.all(parts.map((part) => part.kill(back)));
  const url = new URL(ownerUrlOf(cluster, service));
  url.port = String(server.port);
  await meanwhile(url.href);
  for (const proxy of cluster.proxiesOf(`${service}-postgres`)) proxy.retarget(server.port);
  resolve();
  await Promise.all(parts.map((part) => part.untilUp()));
  return url.href;
}

export function ownerUrlOf({ servers: { databases } }: Pick<Cluster, 'servers'>, service: ServiceName): string {
  return databases.get(service)?.ownerUrl ?? '';
}

async function readClock(server: PostgresServer): Promise<string> {
  return await withSuperuser(server, async (client) => {
    const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
    return rows[0]?.at ?? '';
  });
}
