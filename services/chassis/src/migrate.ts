import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runner } from 'node-pg-migrate';
import type { Logger } from './log.ts';

/**
 * Brings a service's database to the newest migration of its `migrations/` folder; safe when several processes start at once.
 * Files are `NNNN_purpose.sql`, forward only. `databaseUrl` names the role that owns the schema.
 */
export async function migrate(directory: string, databaseUrl: string, logger: Logger): Promise<number> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql'));
  if (files.length === 0) return 0;
  const applied = await runner({
    databaseUrl,
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
}
