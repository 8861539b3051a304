import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import type { Logger } from './log.ts';

/**
 * Brings a service's database to the newest migration of its `migrations/` folder; safe when several processes start at once.
 * Files are `NNNN_purpose.sql`, forward only. `databaseUrl` names the role that owns the schema.
 */
export async function migrate(directory: string, databaseUrl: string, logger: Logger): Promise<number> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'));
  if (files.length === 0) return 0;
  // A client of our own: the runner does not wait for the end of one it makes, and a server that goes away meanwhile ends the process.
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', (error) => logger.warn({ err: error }, 'migration connection lost'));
  await client.connect();
  try {
    const applied = await runner({
      dbClient: client,
      dir: path.join(directory, '*.sql'),
      useGlob: true,
      direction: 'up',
      migrationsTable: 'migration',
      advisoryLockMode: 'wait',
      checkOrder: true,
      singleTransaction: true,
      log: (message) => logger.debug(message),
    });
    return applied.length;
  } finally {
    await client.end();
  }
}
