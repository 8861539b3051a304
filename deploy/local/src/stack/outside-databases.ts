import { StartupError } from '@ces/chassis/service/lifecycle';
import type { ServiceDatabase } from '@ces/servers/postgres/databases';
import { DATABASE_SERVICES, databaseSetting, ownerDatabaseSetting, type ServiceName } from '@ces/topology/services';
import pg from 'pg';

export async function findOutsideDatabases(env: NodeJS.ProcessEnv): Promise<Map<ServiceName, ServiceDatabase>> {
  const found = new Map<ServiceName, ServiceDatabase>();
  for (const { name } of DATABASE_SERVICES) {
    const setting = databaseSetting(name);
    const url = env[setting];
    if (!url) continue;
    const ownerUrl = env[ownerDatabaseSetting(name)] || url;
    await check(setting, url);
    if (ownerUrl !== url) await check(ownerDatabaseSetting(name), ownerUrl);
    found.set(name, { url, ownerUrl });
  }
  return found;
}

async function check(setting: string, url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new StartupError(`${setting} must be an address that starts with postgres://.`);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartupError(`${setting}: ${explain(url, error as Error & { code?: string })}.`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(url: string, error: Error & { code?: string }): string {
  const { host, username, pathname } = new URL(url);
  switch (error.code) {
    case '28P01':
    case '28000':
      return `the server at ${host} refuses role ${username}: check role and password`;
    case '3D000':
      return `the server at ${host} has no database ${pathname.slice(1)}: create it, or name another database`;
    default:
      return `no database answers at ${host} (${error.code ?? error.message}): check the server and the address`;
  }
}
