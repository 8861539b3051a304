import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { readSettings } from '@ces/chassis/service/settings';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { programLogger } from '@ces/test/support/program-log.ts';
import type { Client } from '@connectrpc/connect';
import { inject } from 'vitest';
import { settings } from '../src/config.ts';
import { start } from '../src/start.ts';

const CALLERS = ['gateway', 'operations', 'search', 'acquisition', 'admin', 'ledger'] as const;

export interface StartedLookup extends AsyncDisposable {
  readonly lookup: Client<typeof LookupService>;
  readonly record: Client<typeof RecordService>;
  as(caller: (typeof CALLERS)[number]): {
    readonly lookup: Client<typeof LookupService>;
    readonly record: Client<typeof RecordService>;
  };
  readonly owner: Pool;
  readonly pool: Pool;
  startTwin(): Promise<{ readonly record: Client<typeof RecordService> }>;
}

interface GivenDatabase {
  readonly url: string;
  readonly ownerUrl: string;
  readonly replicaUrl: string;
}

export async function startLookup(
  natsPrefix = `lookup_${crypto.randomUUID().slice(0, 8)}`,
  given?: GivenDatabase,
): Promise<StartedLookup> {
  const own = given ? undefined : await createTestDatabase('lookup');
  const database = given ?? { ...(own as TestDatabase), replicaUrl: '' };
  const logger = programLogger('lookup');
  const config = readSettings(settings, {
    CES_LOOKUP_PORT: '0',
    CES_LOOKUP_DATABASE_URL: database.url,
    CES_LOOKUP_REPLICA_DATABASE_URL: database.replicaUrl,
    ...callerSettings(Object.fromEntries(CALLERS.map((name) => [name, `${name}-token`]))),
    NATS_URL: inject('natsUrl'),
    CES_NATS_PREFIX: natsPrefix,
  });
  const service = await start(config, logger);
  const running = [service];
  const connect = (connectionString: string) =>
    createPool({ connectionString, max: 20, applicationName: 'test', logger });
  const owner = connect(database.ownerUrl);
  const pool = connect(database.url);
  const as = (caller: (typeof CALLERS)[number], url = service.url) => {
    const options = { url, callerToken: `${caller}-token`, reason: 'a test', timeoutMs: 20_000 };
    return { lookup: createRpcClient(LookupService, options), record: createRpcClient(RecordService, options) };
  };
  return {
    ...as('admin'),
    as,
    owner,
    pool,
    async startTwin() {
      const twin = await start(config, logger);
      running.push(twin);
      return as('admin', twin.url);
    },
    async [Symbol.asyncDispose]() {
      for (const one of running) await one[Symbol.asyncDispose]();
      await owner.end();
      await pool.end();
      await own?.[Symbol.asyncDispose]();
    },
  };
}
