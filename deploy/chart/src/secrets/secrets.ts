import { randomBytes } from 'node:crypto';
import { environmentOf, secretNames, secretOf, tokenName } from '@ces/topology/environment';
import {
  DATABASE_SERVICES,
  databaseSetting,
  ownerDatabaseSetting,
  SERVICES,
  type ServiceName,
} from '@ces/topology/services';
import { listComponents } from '../components.ts';

type Secrets = Readonly<Record<string, string>>;

export type DatabaseHost = (service: ServiceName) => string;

/** The role has this name too; the owner role adds `_owner`. */
export type DatabaseName = (service: ServiceName) => string;

const NAMED_AS_SERVICE: DatabaseName = (service) => service;

/** NATS reads a variable that begins with digits as a number. */
const PREFIXES: Secrets = { nats_password: 'nats_' };

export function generateSecrets(): Secrets {
  const draw = (name: string) => `${PREFIXES[name] ?? ''}${randomBytes(32).toString('hex')}`;
  return Object.fromEntries(secretNames().map((name) => [name, draw(name)]));
}

/** One a program, one a migration and `admin` for `ces`. `operator`: the first operator. */
export function secretFiles(
  secrets: Secrets,
  hostOf: DatabaseHost,
  operator: string,
  nameOf: DatabaseName = NAMED_AS_SERVICE,
): Map<string, Record<string, string>> {
  const files = new Map<string, Record<string, string>>();
  const addressing = { hostOf, nameOf };
  for (const [name, env] of programSecrets(secrets, addressing, operator)) files.set(name, env);
  for (const { name } of DATABASE_SERVICES)
    files.set(`${name}-owner`, { [ownerDatabaseSetting(name)]: address(secrets, addressing, name, '_owner') });
  files.set('admin', { CES_RPC_TOKEN: secretOf(secrets, tokenName('admin')) });
  return files;
}

/** Adds role passwords for CloudNativePG; the chart sets database URLs, the operator owners. */
export function clusterSecretFiles(
  secrets: Secrets,
  operator: string,
  nameOf: DatabaseName = NAMED_AS_SERVICE,
): Map<string, Record<string, string>> {
  const files = new Map(secretFiles(secrets, (service) => service, operator));
  for (const { name } of DATABASE_SERVICES) {
    const { [databaseSetting(name)]: _address, ...rest } = files.get(name) ?? {};
    files.set(name, rest);
    files.delete(`${name}-owner`);
    files.set(`${name}-postgres`, { username: nameOf(name), password: secretOf(secrets, `${name}_password`) });
  }
  return files;
}

export function kubernetesSecrets(files: ReadonlyMap<string, Record<string, string>>, release: string) {
  const items = [...files].map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${release}-${name}`,
      // CloudNativePG reloads a changed Secret only when it has this label.
      ...('password' in stringData && { labels: { 'cnpg.io/reload': 'true' } }),
    },
    type: 'password' in stringData ? 'kubernetes.io/basic-auth' : 'Opaque',
    stringData,
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}

/** For the superuser of a new server: each database with two roles, and no access for others. */
export function databaseStatements(secrets: Secrets, nameOf: DatabaseName = NAMED_AS_SERVICE): string {
  return DATABASE_SERVICES.map(({ name: service }) => {
    const name = nameOf(service);
    return [
      `create role "${name}" login password '${secretOf(secrets, `${service}_password`)}';`,
      `create role "${name}_owner" login password '${secretOf(secrets, `${service}_owner_password`)}';`,
      `create database "${name}" owner "${name}_owner";`,
      `revoke all on database "${name}" from public;`,
      `grant connect on database "${name}" to "${name}";\n`,
    ].join('\n');
  }).join('\n');
}

interface DatabaseAddressing {
  readonly hostOf: DatabaseHost;
  readonly nameOf: DatabaseName;
}

function programSecrets(
  secrets: Secrets,
  addressing: DatabaseAddressing,
  operator: string,
): [ServiceName, Record<string, string>][] {
  const around = {
    secrets,
    ports: new Map<ServiceName, number>(),
    databaseUrls: new Map(DATABASE_SERVICES.map(({ name }) => [name, address(secrets, addressing, name, '')])),
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

function address(
  secrets: Secrets,
  { hostOf, nameOf }: DatabaseAddressing,
  service: ServiceName,
  which: '' | '_owner',
): string {
  const password = secretOf(secrets, `${service}${which}_password`);
  return `postgres://${nameOf(service)}${which}:${password}@${hostOf(service)}/${nameOf(service)}`;
}
