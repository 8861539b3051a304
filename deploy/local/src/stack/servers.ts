import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import { NATS_USER, type NatsServer, startNats } from '@ces/servers/nats/server';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll, type ServiceDatabase } from '@ces/servers/postgres/databases';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import type { Supervised } from '@ces/servers/processes/supervise';
import { type NatsAccess, secretOf } from '@ces/topology/environment';
import { DATABASE_SERVICES, REPOSITORY, type ServiceName } from '@ces/topology/services';
import { withProgress } from '../../bin/progress.mjs';
import { logFile } from '../state/data-directory.ts';
import { findOutsideDatabases } from './outside-databases.ts';
import { checkOutsideNats } from './outside-nats.ts';
import { keepRunning, type StartContext, startAll } from './start-context.ts';

export interface Servers {
  readonly databases: ReadonlyMap<ServiceName, ServiceDatabase>;
  readonly natsUrl: string;
  readonly natsPrefix: string;
  /** Undefined for an external one, whose settings include them. */
  readonly natsAccess: NatsAccess | undefined;
  pids(): Record<string, number>;
}

const POSTGRES_PORT = 54_320;
const NATS_PORT = 4_222;

/** Starts the servers that the environment does not name; `anyPort` avoids the default ports. */
export async function startServers(context: StartContext, anyPort: boolean): Promise<Servers> {
  const outside = await findOutsideDatabases(context.env);
  const outsideNats = await checkOutsideNats(context.env.NATS_URL);
  const missing = DATABASE_SERVICES.filter(({ name }) => !outside.has(name));
  const starting = [
    missing.length > 0 ? postgres(context, anyPort ? 0 : POSTGRES_PORT) : undefined,
    outsideNats ? undefined : nats(context, anyPort ? 0 : NATS_PORT),
  ] as const;
  const [ownPostgres, ownNats] = await withProgress(
    'starting Postgres and NATS',
    () => startAll(context, starting),
    context.say,
  );
  context.signal.throwIfAborted();
  const databases = new Map(outside);
  await withProgress(
    'preparing the databases',
    async () => {
      const url = ownPostgres?.current.superuserUrl('postgres');
      const made = url && (await makeDatabases(missing, url, context.secrets));
      for (const [name, database] of made || []) databases.set(name, database);
      await migrateAll(databases, createLogger('migrate', 'silent'));
    },
    context.say,
  );
  return {
    databases,
    natsUrl: outsideNats ?? ownNats?.current.url ?? '',
    natsPrefix: context.env.CES_NATS_PREFIX ?? (outsideNats ? ownPrefix(context) : ''),
    natsAccess: outsideNats ? undefined : { user: NATS_USER, password: secretOf(context.secrets, 'nats_password') },
    pids: () => ({
      ...(ownPostgres && { postgres: ownPostgres.current.pid }),
      ...(ownNats && { nats: ownNats.current.pid }),
    }),
  };
}

async function postgres(context: StartContext, wantedPort: number): Promise<Supervised<PostgresServer>> {
  const options = {
    dataDirectory: context.data.postgres,
    port: await freePort(wantedPort),
    password: secretOf(context.secrets, 'postgres_password'),
    logFile: await logFile(context.data, 'postgres'),
  };
  return await keepRunning(context, 'postgres', () => startPostgres(options));
}

async function nats(context: StartContext, wantedPort: number): Promise<Supervised<NatsServer>> {
  const options = {
    storeDirectory: context.data.nats,
    port: await freePort(wantedPort),
    cacheDirectory: path.join(REPOSITORY, '.cache'),
    logFile: await logFile(context.data, 'nats'),
    password: secretOf(context.secrets, 'nats_password'),
    say: context.say,
  };
  return await keepRunning(context, 'nats', () => startNats(options));
}

/** Separates the streams of stacks that share a NATS server. */
function ownPrefix(context: StartContext): string {
  return `ces_${secretOf(context.secrets, 'nats_prefix').slice(0, 8)}`;
}
