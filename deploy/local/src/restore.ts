import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLogger } from '@ces/chassis/telemetry/log';
import { BACKED_UP, backupFile, outsideUrls, servicesOf } from './backup/files.ts';
import { restore } from './backup/load.ts';
import { dataDirectory, logFile, makeDataDirectory } from './data-directory.ts';
import { findOutsideDatabases, makeDatabases, migrateAll } from './databases.ts';
import { terminal } from './output.ts';
import { freePort } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { openSecrets } from './secrets.ts';
import { DATABASE_SERVICES, REPOSITORY, type ServiceName, secretNames, secretOf } from './services.ts';
import { lockStack } from './stack-lock.ts';

const USAGE = `npm run restore -- DIRECTORY [--only ${BACKED_UP.join(',')}]`;

main().catch((error: Error) => {
  terminal.fail(error.message);
  process.exit(1);
});

/** Puts databases of a stack that does not run, or those that the environment names, back to the moments of their backups. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
  const [directory] = positionals;
  if (!directory || positionals.length > 1) throw new Error(`usage: ${USAGE}`);
  const services = servicesOf(values.only);
  for (const service of services) await access(backupFile(directory, service));
  const outside = outsideUrls(services, process.env);
  if (outside) for (const service of services) await restoreOne(service, outside(service), directory);
  else await restoreStack(services, directory);
  terminal.say('start the stack; then npx ces operations reconcile, npx ces ledger verify, npx ces index rebuild');
}

async function restoreStack(services: readonly ServiceName[], directory: string): Promise<void> {
  const data = dataDirectory(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
  await makeDataDirectory(data);
  await using _lock = await lockStack(data);
  const secrets = await openSecrets(data, secretNames());
  const databases = await findOutsideDatabases(process.env);
  const ours = DATABASE_SERVICES.filter(({ name }) => !databases.has(name));
  await using postgres = await startPostgres({
    dataDirectory: data.postgres,
    port: await freePort(0),
    password: secretOf(secrets, 'postgres_password'),
    logFile: await logFile(data, 'postgres'),
  });
  const made = await makeDatabases(ours, postgres.superuserUrl('postgres'), secrets);
  for (const [name, database] of made) databases.set(name, database);
  await migrateAll(databases, createLogger('migrate', 'silent'));
  for (const service of services) await restoreOne(service, databases.get(service)?.ownerUrl ?? '', directory);
}

async function restoreOne(service: ServiceName, url: string, directory: string): Promise<void> {
  const { at, rows } = await restore(url, backupFile(directory, service));
  terminal.say(`${service}: ${rows} rows as of ${at}`);
}
