import path from 'node:path';
import { secretOf } from '@ces/topology/environment';
import { DATABASE_SERVICES, databaseSetting, ownerDatabaseSetting, type ServiceName } from '@ces/topology/services';

/** All databases but the search index, which `ces index rebuild` rebuilds from the record. */
export const BACKED_UP = DATABASE_SERVICES.map(({ name }) => name).filter((name) => name !== 'search');

export function backupFile(directory: string, service: ServiceName): string {
  return path.join(directory, `${service}.jsonl.gz`);
}

/** Undefined unless all are named. Then no local stack is needed. */
export function outsideUrls(
  services: readonly ServiceName[],
  env: NodeJS.ProcessEnv,
): ((service: ServiceName) => string) | undefined {
  const urls = new Map(services.map((service) => [service, env[ownerDatabaseSetting(service)]]));
  return services.every((service) => urls.get(service)) ? (service) => urls.get(service) ?? '' : undefined;
}

/** Connection strings with the role that owns the tables: the environment's, else this stack's. */
export function ownerUrls(
  databases: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): (service: ServiceName) => string {
  return (service) => {
    const outside = env[ownerDatabaseSetting(service)] || env[databaseSetting(service)];
    if (outside) return outside;
    const url = new URL(databases[service] ?? '');
    url.username = `${service}_owner`;
    url.password = secretOf(secrets, `${service}_owner_password`);
    return url.href;
  };
}
