// @module-tag nightly
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@ces/servers/ports';
import { type ServiceProcess, startService } from '@ces/servers/processes/service';
import { DATABASE_SERVICES, databaseSetting, REPOSITORY, type ServiceName } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseBefore } from '../support/database.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

// Pods of the new code may start before the migrations have run. The reverse, old code on the new
// schema, is `npm run lab -- rolling --from migration`.
const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let directory: string;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ acquisition: {} }));
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-new-code-'));
  cleanup.defer(() => rm(directory, { recursive: true }));
});
afterAll(() => cleanup.disposeAsync());

for (const { name, folder } of DATABASE_SERVICES) {
  const migrations = readdirSync(path.join(REPOSITORY, folder, 'migrations')).sort();
  const befores = [
    ['a database without tables', ''],
    ['the schema before its last migration', migrations.at(-1) ?? ''],
  ] as const;
  // With a single migration, both cases are the same.
  for (const [title, firstLeftOut] of befores.slice(0, migrations.length))
    test(`new code of ${name} waits unready on ${title}, and serves when the migrations have run`, async () => {
      await using database = await createDatabaseBefore(name as DatabaseName, firstLeftOut);
      const adminPort = await freePort(0);
      await using service = startUnawaited(name, {
        [databaseSetting(name)]: database.url,
        [`CES_${name.toUpperCase()}_ADMIN_PORT`]: String(adminPort),
      });
      const probe = (which: string) => statusOf(`http://127.0.0.1:${adminPort}/${which}`);
      const probes = () => Promise.all([probe('livez'), probe('startupz'), probe('readyz')]);
      await expect.poll(probes).toEqual([200, 200, 503]);
      expect(service.isServing()).toBe(false);
      await database.upgrade();
      const { adminUrl } = await service.serving;
      expect(await statusOf(`${adminUrl}/readyz`)).toBe(200);
    });
}

type DatabaseName = Exclude<ServiceName, 'gateway'>;

interface Unawaited extends AsyncDisposable {
  readonly serving: Promise<ServiceProcess>;
  isServing(): boolean;
}

function startUnawaited(name: ServiceName, env: Readonly<Record<string, string>>): Unawaited {
  const service = DATABASE_SERVICES.find((one) => one.name === name);
  if (!service) throw new Error(`there is no service ${name}`);
  let isServing = false;
  const all = { ...stack.environmentOf(name), ...env, CES_LOG_LEVEL: 'warn' };
  const serving = startService(service, all, path.join(directory, `${name}.log`));
  const noted = serving.then(
    () => {
      isServing = true;
    },
    () => undefined,
  );
  return {
    serving,
    isServing: () => isServing,
    async [Symbol.asyncDispose]() {
      await noted;
      if (isServing) await (await serving)[Symbol.asyncDispose]();
    },
  };
}

async function statusOf(url: string): Promise<number | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}
