import path from 'node:path';
import { migrate, migrationSettings } from '@ces/chassis/postgres/migrate';
import { StartupError } from '@ces/chassis/service/lifecycle';
import { ConfigurationError, readSettings, url } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { DATABASE_SERVICES, ownerDatabaseSetting, REPOSITORY, SERVICES } from '@ces/topology/services';

const USAGE = `Arguments: <program>, one of ${names(SERVICES)}; or migrate <service>, one of ${names(DATABASE_SERVICES)}; or ces <arguments>; or, for deploy/compose.yaml, secrets <directory>, sample.`;

const [program = '', ...rest] = process.argv.slice(2);

try {
  await runProgram();
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Runs a program by name, a service's migrations, or a one-off task of deploy/compose.yaml. */
async function runProgram(): Promise<void> {
  const service = SERVICES.find(({ name }) => name === program);
  if (service) await import(path.join(REPOSITORY, service.folder, 'src/main.ts'));
  else if (program === 'migrate') await migrateService(rest[0] ?? '');
  else if (program === 'secrets') await runModule('deploy/chart/src/secrets/volumes-main.ts');
  else if (program === 'sample') await runModule('deploy/local/src/sample/main.ts');
  else throw new StartupError(USAGE);
}

async function runModule(file: string): Promise<void> {
  process.argv.splice(2, 1);
  await import(path.join(REPOSITORY, file));
}

async function migrateService(name: string): Promise<void> {
  const service = DATABASE_SERVICES.find((one) => one.name === name);
  if (!service) throw new StartupError(USAGE);
  const logger = createLogger(`migrate ${name}`);
  const setting = url(ownerDatabaseSetting(service.name), `address of the ${name} database, as its owner role`, {
    schemes: ['postgres', 'postgresql'],
    secret: true,
  });
  const { ownerUrl, role, ...options } = readSettings({ ownerUrl: setting, ...migrationSettings }, process.env);
  const applied = await migrate(path.join(REPOSITORY, service.folder, 'migrations'), ownerUrl, logger, {
    ...options,
    roles: { written: service.name, actual: role || service.name },
  });
  logger.info({ applied }, 'migrated');
}

function names(services: readonly { readonly name: string }[]): string {
  return services.map(({ name }) => name).join(', ');
}
