import { chmod, mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import { type NatsServer, startNats } from '@ces/servers/nats/server';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll, type ServiceDatabase } from '@ces/servers/postgres/databases';
import { type PostgresServer, startPostgres } from '@ces/servers/postgres/server';
import { removeDirectory } from '@ces/servers/processes/account';
import { expectNoCrash } from '@ces/servers/test-support/crash';
import { DATABASE_SERVICES, REPOSITORY, type ServiceName } from '@ces/topology/services';
import { Part } from './part.ts';

export interface Servers extends AsyncDisposable {
  readonly directory: string;
  readonly postgres: Part<PostgresServer>;
  readonly nats: Part<NatsServer>;
  readonly natsPort: number;
  readonly databases: ReadonlyMap<ServiceName, ServiceDatabase>;
  keepFiles(): void;
  loseStreams(): Promise<void>;
  /**
   * Kills the broker, truncates its newest message file to half and restarts it. Returns the file,
   * or undefined if there was none.
   */
  truncateNewestBlock(): Promise<string | undefined>;
}

// Data of a killed server survives in the page cache. Only a machine crash would need fsync.
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300', shared_buffers: '128MB' };

export interface ServersOptions {
  /** Source tree of the migrations. Default: this one. */
  readonly tree?: string;
}

export async function startServers(
  secrets: Readonly<Record<string, string>>,
  { tree = REPOSITORY }: ServersOptions = {},
): Promise<Servers> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'ces-chaos-'));
  await chmod(directory, 0o711);
  const cleanup = new AsyncDisposableStack();
  let keep = false;
  cleanup.defer(async () => {
    if (keep) return;
    await removeDirectory(path.join(directory, 'postgres'));
    await rm(directory, { recursive: true, force: true });
  });
  const postgresLog = path.join(directory, 'postgres.log');
  cleanup.defer(() => expectNoCrash(postgresLog));
  const [postgresPort, natsPort] = [await freePort(0), await freePort(0)];
  const storeDirectory = path.join(directory, 'nats');
  const startOne = () =>
    startPostgres({
      dataDirectory: path.join(directory, 'postgres'),
      port: postgresPort,
      password: 'chaos',
      settings: POSTGRES_SETTINGS,
      logFile: postgresLog,
    });
  const postgres = cleanup.use(await Part.start('postgres', startOne));
  const nats = cleanup.use(
    await Part.start('nats', () =>
      startNats({
        storeDirectory,
        port: natsPort,
        cacheDirectory: path.join(REPOSITORY, '.cache'),
        logFile: path.join(directory, 'nats.log'),
      }),
    ),
  );
  const databases = await makeDatabases(DATABASE_SERVICES, postgres.current.superuserUrl('postgres'), secrets);
  await migrateAll(databases, createLogger('chaos', 'silent'), tree);
  return {
    directory,
    postgres,
    nats,
    natsPort,
    databases,
    keepFiles: () => {
      keep = true;
    },
    async loseStreams() {
      const { promise: emptied, resolve } = Promise.withResolvers<void>();
      await nats.kill(emptied);
      await rm(path.join(storeDirectory, 'jetstream'), { recursive: true, force: true });
      resolve();
      await nats.untilUp();
    },
    async truncateNewestBlock() {
      const { promise: cut, resolve } = Promise.withResolvers<void>();
      await nats.kill(cut);
      const block = await newestBlock(storeDirectory);
      if (block) await truncate(block.file, Math.floor(block.size / 2));
      resolve();
      await nats.untilUp();
      return block
        ? `${path.basename(path.dirname(path.dirname(block.file)))} to ${Math.floor(block.size / 2)} bytes`
        : undefined;
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

async function newestBlock(directory: string): Promise<{ readonly file: string; readonly size: number } | undefined> {
  const names = await readdir(directory, { recursive: true });
  const blocks = await Promise.all(
    names
      .filter((name) => name.endsWith('.blk'))
      .map(async (name) => {
        const file = path.join(directory, name);
        const { size, mtimeMs } = await stat(file);
        return { file, size, mtimeMs };
      }),
  );
  return blocks.filter(({ size }) => size > 0).sort((a, b) => b.mtimeMs - a.mtimeMs)[0];
}
