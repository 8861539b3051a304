import { access } from 'node:fs/promises';
import path from 'node:path';
import { createLogger } from '@ces/chassis/telemetry/log';
import { freePort } from '@ces/servers/ports';
import { makeDatabases, migrateAll } from '@ces/servers/postgres/databases';
import { startPostgres } from '@ces/servers/postgres/server';
import { secretNames, secretOf } from '@ces/topology/environment';
import { DATABASE_SERVICES, REPOSITORY, type ServiceName } from '@ces/topology/services';
import { backupFile, outsideUrls } from '../backup/files.ts';
import { restore } from '../backup/load.ts';
import { findOutsideDatabases } from '../stack/outside-databases.ts';
import { dataDirectory, logFile, makeDataDirectory } from '../state/data-directory.ts';
import { openSecrets } from '../state/secrets.ts';
import { lockStack } from '../state/stack-lock.ts';
import { parseBackupArguments } from './backup-arguments.ts';
import { terminal } from './output.ts';

main().catch((error: Error) => {
  terminal.fail(error.message);
  process.exit(1);
});

/** Restores databases of a stopped stack, or those that the environment names. */
async function main(): Promise<void> {
  const { directory, services } = parseBackupArguments('restore');
  for (const service of services) await access(backupFile(directory, service));
  const outside = outsideUrls(services, process.env);
  if (outside) for (const service of services) await restoreOne(service, outside(service), directory);
  else await restoreStack(services, directory);
  terminal.say(`now start the stack, then run npx ces after-restore ${services.join(' ')}`);
}

async function restoreStack(services: readonly ServiceName[], directory: string): Promise<void> {
  const data = dataDirectory(process.env.CES_DATA_DIR || path.join(REPOSITORY, '.local'));
  await makeDataDirectory(data);
  await using _lock = await lockStack(data);
  const secrets = await openSecrets(data, secretNames());
  const databases = await findOutsideDatabases(process.env);
  const embedded = DATABASE_SERVICES.filter(({ name }) => !databases.has(name));
  await using postgres = await startPostgres({
    dataDirectory: data.postgres,
    port: await freePort(0),
    password: secretOf(secrets, 'postgres_password'),
    logFile: await logFile(data, 'postgres'),
  });
  const made = await makeDatabases(embedded, postgres.superuserUrl('postgres'), secrets);
  for (const [name, database] of made) databases.set(name, database);
  await migrateAll(databases, createLogger('migrate', 'silent'));
  for (const service of services) await restoreOne(service, databases.get(service)?.ownerUrl ?? '', directory);
}

async function restoreOne(service: ServiceName, url: string, directory: string): Promise<void> {
  const { at, rows } = await restore(url, backupFile(directory, service));
  terminal.say(`${service}: ${rows} rows as of ${at}`);
}
