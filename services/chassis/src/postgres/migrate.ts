import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { StartupError } from '../service/lifecycle.ts';
import { retry } from '../service/retry.ts';
import { integer, type SettingValues, text } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import { connectionTo, type PostgresTls, postgresTlsSettings } from './connection.ts';
import { isLockUnavailable } from './lock-unavailable.ts';
import { migrationFiles, type RoleNames } from './migration-files.ts';
import { KEEPALIVE, sessionOptions } from './pool.ts';

export const migrationSettings = {
  ...postgresTlsSettings,
  lockTimeoutMs: integer('CES_MIGRATION_LOCK_TIMEOUT_MS', 'how long a migration waits for a table lock', {
    default: '500',
    min: 1,
    max: 60_000,
  }),
  attempts: integer('CES_MIGRATION_ATTEMPTS', 'attempts to get the table locks', {
    default: '60',
    min: 1,
    max: 1_000,
  }),
  connectMs: integer('CES_MIGRATION_CONNECT_MS', 'how long to wait for a server that does not answer', {
    default: '0',
    min: 0,
    max: 86_400_000,
  }),
  role: text('CES_MIGRATION_ROLE', 'role of the service; empty: its name', { default: '' }),
};

type MigrationSettings = SettingValues<typeof migrationSettings>;
export type MigrationOptions = Pick<MigrationSettings, 'lockTimeoutMs' | 'attempts'> &
  Partial<Pick<MigrationSettings, 'connectMs'>> &
  PostgresTls & { readonly roles?: RoleNames | undefined };

/** Below Postgres's `deadlock_timeout`, so in a deadlock the migration yields. */
const USUAL: MigrationOptions = { lockTimeoutMs: 500, attempts: 60 };
const LOOK_EVERY_MS = 200;
/**
 * A long statement may run on; a process suspended between two statements must be ended, because
 * sessions wait for its locks. The idle bounds exceed the pauses between attempts.
 */
const BOUNDS = `select set_config(name, bound, false)
  from (values ('statement_timeout', '0'), ('transaction_timeout', '0'), ('idle_in_transaction_session_timeout', '60s'),
    ('idle_session_timeout', '300s')) as bounds (name, bound)
  where name in (select name from pg_settings)`;

/**
 * Returns the number of applied files; concurrent runs are safe. `databaseUrl` is the schema
 * owner's and must give a real session, not a pooler's. A file waits only `lockTimeoutMs` for a
 * table, because other sessions queue up behind it, then rolls back and retries.
 */
export async function migrate(
  directory: string,
  databaseUrl: string,
  logger: Logger,
  options: MigrationOptions = USUAL,
): Promise<number> {
  if ((await listMigrations(directory)).length === 0) return 0;
  const client = await connectPatiently(databaseUrl, logger, options);
  try {
    await client.query(BOUNDS);
    await untilAlone(client);
    return await applyPatiently(directory, client, logger, options);
  } finally {
    await client.end();
  }
}

const CONNECT_PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** SQLSTATEs of a server in setup: role or password missing, database missing, server starting. */
const NOT_YET = new Set(['28000', '28P01', '3D000', '57P03']);

/**
 * The runner's client would crash the process when the server disappears. During setup a server
 * first lacks an address, then refuses connections, then lacks the role.
 */
async function connectPatiently(
  databaseUrl: string,
  logger: Logger,
  { connectMs = 0, ...options }: MigrationOptions,
): Promise<pg.Client> {
  const deadline = performance.now() + connectMs;
  const connection = connectionTo(databaseUrl, options);
  const connect = async () => {
    const client = new pg.Client({
      ...connection,
      application_name: 'migration',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: sessionOptions(),
      ...KEEPALIVE,
    });
    client.on('error', (error) => logger.warn({ err: error }, 'migration connection lost'));
    await client.connect();
    return client;
  };
  return await retry(connect, {
    attempts: Number.POSITIVE_INFINITY,
    firstPauseMs: CONNECT_PAUSE_MS,
    longestPauseMs: CONNECT_PAUSE_MS,
    retryIf: (error) => performance.now() < deadline && mayComeYet(error),
    onFailure: (error, attempt) => {
      if (attempt % 30 === 1) logger.warn({ err: error }, 'the database is not there');
    },
  });
}

function mayComeYet(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || NOT_YET.has(error.code ?? '');
}

export async function listMigrations(directory: string): Promise<string[]> {
  const files = await readdir(directory);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => path.basename(file, '.sql'))
    .sort();
}

/**
 * The runner's own lock. Polls, because `create index concurrently` would wait for a blocked
 * statement.
 */
async function untilAlone(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [PG_MIGRATE_LOCK_ID]);
    if (rows[0]?.taken) return;
    await pause(LOOK_EVERY_MS);
  }
}

async function applyPatiently(
  directory: string,
  client: pg.Client,
  logger: Logger,
  { lockTimeoutMs, attempts, roles }: MigrationOptions,
): Promise<number> {
  try {
    return await retry(() => apply(directory, client, logger, lockTimeoutMs, roles), {
      attempts,
      // Other sessions go first for as long as they waited.
      firstPauseMs: lockTimeoutMs,
      longestPauseMs: lockTimeoutMs,
      retryIf: isLockUnavailable,
      onFailure: (error, attempt) => {
        if (isLockUnavailable(error))
          logger.warn({ attempt, attempts, lockTimeoutMs }, 'a migration did not get its tables: others hold them');
      },
    });
  } catch (error) {
    if (!isLockUnavailable(error)) throw error;
    throw new StartupError(
      `the migration gave up after ${attempts} attempts of ${lockTimeoutMs} ms: a transaction holds a table that it changes. What was applied before stays, and the next run goes on from there. Find it in pg_stat_activity by its xact_start, end it, and run the migration again.`,
    );
  }
}

async function apply(
  directory: string,
  client: pg.Client,
  logger: Logger,
  lockTimeoutMs: number,
  roles: RoleNames | undefined,
): Promise<number> {
  await client.query(`select set_config('lock_timeout', $1, false)`, [`${lockTimeoutMs}ms`]);
  const applied = await runner({
    dbClient: client,
    dir: path.join(directory, '*.sql'),
    useGlob: true,
    direction: 'up',
    migrationsTable: 'migration',
    noLock: true,
    checkOrder: true,
    singleTransaction: false,
    migrationLoaderStrategies: [migrationFiles(lockTimeoutMs, roles)],
    log: (message) => logger.debug(message),
  }).catch(async (error: unknown) => {
    // The runner leaves the failed file's transaction open.
    await client.query('rollback').catch(() => undefined);
    throw error;
  });
  return applied.length;
}
