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

/** Where a database is, by its service. */
export type DatabaseHost = (service: ServiceName) => string;

/** What a database and the role that uses it are called, by their service; the owner is called so with `_owner` behind. */
export type DatabaseName = (service: ServiceName) => string;

const NAMED_AS_SERVICE: DatabaseName = (service) => service;

/** A configuration of NATS reads a variable that begins with digits as a number: one in twenty was refused. */
const PREFIXES: Secrets = { nats_password: 'nats_' };

/** Secrets of one installation by name, all new. */
export function drawSecrets(): Secrets {
  const draw = (name: string) => `${PREFIXES[name] ?? ''}${randomBytes(32).toString('hex')}`;
  return Object.fromEntries(secretNames().map((name) => [name, draw(name)]));
}

/** Settings that are secret by the file, or Secret, that holds them: one a program, one a migration, one for `ces`. `operator` names who holds the last. */
export function secretFiles(
  secrets: Secrets,
  hostOf: DatabaseHost,
  operator: string,
  nameOf: DatabaseName = NAMED_AS_SERVICE,
): Map<string, Record<string, string>> {
  const files = new Map<string, Record<string, string>>();
  const place = { hostOf, nameOf };
  for (const [name, env] of programSecrets(secrets, place, operator)) files.set(name, env);
  for (const { name } of DATABASE_SERVICES)
    files.set(`${name}-owner`, { [ownerDatabaseSetting(name)]: address(secrets, place, name, '_owner') });
  files.set('admin', { CES_RPC_TOKEN: secretOf(secrets, tokenName('admin')) });
  return files;
}

/**
 * The same where CloudNativePG has the databases: the password of each role that a service runs as, in the form that it wants; addresses
 * are the chart's, and what owners have it draws itself.
 */
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

/** The Secrets of a release as one object that `kubectl apply` takes. */
export function kubernetesSecrets(files: ReadonlyMap<string, Record<string, string>>, release: string) {
  const items = [...files].map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${release}-${name}`,
      // CloudNativePG looks again at Secrets that have this label when they change.
      ...('password' in stringData && { labels: { 'cnpg.io/reload': 'true' } }),
    },
    type: 'password' in stringData ? 'kubernetes.io/basic-auth' : 'Opaque',
    stringData,
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}

/** Statements that make every database with its two roles, closed to all others; for the superuser of a new server. */
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

interface DatabasePlace {
  readonly hostOf: DatabaseHost;
  readonly nameOf: DatabaseName;
}

function programSecrets(
  secrets: Secrets,
  place: DatabasePlace,
  operator: string,
): [ServiceName, Record<string, string>][] {
  const around = {
    secrets,
    ports: new Map<ServiceName, number>(),
    databaseUrls: new Map(DATABASE_SERVICES.map(({ name }) => [name, address(secrets, place, name, '')])),
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
  { hostOf, nameOf }: DatabasePlace,
  service: ServiceName,
  which: '' | '_owner',
): string {
  const password = secretOf(secrets, `${service}${which}_password`);
  return `postgres://${nameOf(service)}${which}:${password}@${hostOf(service)}/${nameOf(service)}`;
}
