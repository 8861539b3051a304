import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startAdminServer } from '../service/admin-server.ts';
import { StartupError } from '../service/lifecycle.ts';
import type { Logger } from '../telemetry/log.ts';
import { type Connection, connectionTo, type PostgresTls } from './connection.ts';
import { listMigrations } from './migrate.ts';

interface WaitOptions extends PostgresTls {
  readonly databaseUrl: string;
  readonly host: string;
  readonly adminPort: number;
}

const NO_SUCH_TABLE = '42P01';
const LOOK_EVERY_MS = 500;
const SAY_EVERY_MS = 30_000;

/** Resolves with every migration of this code, so pods may start before or during migrations. */
export async function waitForMigrations(options: WaitOptions, directory: string, logger: Logger): Promise<void> {
  const known = await listMigrations(directory);
  const connection = connectionTo(options.databaseUrl, options);
  const first = await findMissing(connection, known).catch((error: Error) => {
    throw new StartupError(`the database cannot be used (${error.message}): check its address, role and password.`);
  });
  if (first.length === 0) return;
  const admin = await startAdminServer(options.host, options.adminPort, {
    hasStarted: () => true,
    readiness: () => ({ ready: false, why: 'the database waits for its migrations' }),
  });
  try {
    await look(connection, known, logger);
  } finally {
    await admin[Symbol.asyncDispose]();
  }
}

async function look(connection: Connection, known: readonly string[], logger: Logger): Promise<void> {
  for (let said = Number.NEGATIVE_INFINITY; ; await pause(LOOK_EVERY_MS)) {
    const missing = await findMissing(connection, known).catch((error: Error) => error);
    if (Array.isArray(missing) && missing.length === 0) return;
    if (performance.now() - said < SAY_EVERY_MS) continue;
    said = performance.now();
    if (Array.isArray(missing)) logger.warn({ missing }, 'waiting for the migrations of the database');
    else logger.warn({ err: missing }, 'waiting for the database');
  }
}

async function findMissing(connection: Connection, known: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from migration');
    const applied = new Set(rows.map(({ name }) => name));
    return known.filter((name) => !applied.has(name));
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_TABLE) return [...known];
    throw error;
  } finally {
    // Destroyed, because a graceful end would wait for a dead peer.
    client.connection.stream.destroy();
  }
}
