import { randomBytes } from 'node:crypto';
import { environmentOf, secretNames, secretOf, tokenName } from '@ces/topology/environment';
import { DATABASE_SERVICES, ownerDatabaseSetting, SERVICES, type ServiceName } from '@ces/topology/services';
import { listComponents } from '../components.ts';

type Secrets = Readonly<Record<string, string>>;

/** Where a database is, by its service. */
export type DatabaseHost = (service: ServiceName) => string;

/** Secrets of one installation by name, all new. */
export function drawSecrets(): Secrets {
  return Object.fromEntries(secretNames().map((name) => [name, randomBytes(32).toString('hex')]));
}

/** Settings that are secret by the file, or Secret, that holds them: one a program, one a migration, one for `ces`. `operator` names who holds the last. */
export function secretFiles(
  secrets: Secrets,
  hostOf: DatabaseHost,
  operator: string,
): Map<string, Record<string, string>> {
  const files = new Map<string, Record<string, string>>();
  for (const [name, env] of programSecrets(secrets, hostOf, operator)) files.set(name, env);
  for (const { name } of DATABASE_SERVICES)
    files.set(`${name}-owner`, { [ownerDatabaseSetting(name)]: address(secrets, hostOf, name, `${name}_owner`) });
  files.set('admin', { CES_RPC_TOKEN: secretOf(secrets, tokenName('admin')) });
  return files;
}

/** Statements that make every database with its two roles, closed to all others; for the superuser of a new server. */
export function databaseStatements(secrets: Secrets): string {
  return DATABASE_SERVICES.map(({ name }) =>
    [
      `create role ${name} login password '${secretOf(secrets, `${name}_password`)}';`,
      `create role ${name}_owner login password '${secretOf(secrets, `${name}_owner_password`)}';`,
      `create database ${name} owner ${name}_owner;`,
      `revoke all on database ${name} from public;`,
      `grant connect on database ${name} to ${name};\n`,
    ].join('\n'),
  ).join('\n');
}

function programSecrets(
  secrets: Secrets,
  hostOf: DatabaseHost,
  operator: string,
): [ServiceName, Record<string, string>][] {
  const around = {
    secrets,
    ports: new Map<ServiceName, number>(),
    databaseUrls: new Map(DATABASE_SERVICES.map(({ name }) => [name, address(secrets, hostOf, name, name)])),
    natsUrl: '',
    natsPrefix: '',
    operator,
    outer: {},
  };
  const settings = new Map(listComponents().map((component) => [component.name, component.settings]));
  return SERVICES.map((service) => {
    const secret = new Set(settings.get(service.name)?.flatMap((one) => (one.secret ? [one.name] : [])));
    const given = Object.entries(environmentOf(service, around)).filter(([name]) => secret.has(name));
    return [service.name, Object.fromEntries(given)];
  });
}

function address(secrets: Secrets, hostOf: DatabaseHost, database: ServiceName, role: string): string {
  return `postgres://${role}:${secretOf(secrets, `${role}_password`)}@${hostOf(database)}/${database}`;
}
