import { createPool, type Pool } from '@ces/chassis/postgres/pool';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { Clock } from '@ces/chassis/service/clock';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { AcquisitionService } from '@ces/proto/ces/acquisition/v1/acquisition_service_pb.ts';
import type { SourceRun } from '@ces/proto/ces/acquisition/v1/source_pb.ts';
import { RestoreService } from '@ces/proto/ces/restore/v1/restore_service_pb.ts';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import type { Client } from '@connectrpc/connect';
import { settings } from '../src/config.ts';
import type { Source } from '../src/connector/source.ts';
import { start } from '../src/start.ts';

export interface StartOptions {
  readonly lookup: { readonly url: string; readonly token: string };
  readonly sources: readonly Source[];
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Database of another instance, to run both at once. */
  readonly database?: TestDatabase;
}

export interface StartedAcquisition extends AsyncDisposable {
  readonly admin: Client<typeof AcquisitionAdminService>;
  readonly restores: Client<typeof RestoreService>;
  readonly acquisition: Client<typeof AcquisitionService>;
  readonly owner: Pool;
  readonly database: TestDatabase;
  ingest(source: string, bytes: Uint8Array | string, name?: string): Promise<SourceRun>;
}

export async function startAcquisition(options: StartOptions): Promise<StartedAcquisition> {
  const database = options.database ?? (await createTestDatabase('acquisition'));
  const logger = createLogger('acquisition', process.env.CES_TEST_LOG ?? 'silent');
  const config = readSettings(settings, {
    CES_ACQUISITION_PORT: '0',
    CES_ACQUISITION_DATABASE_URL: database.url,
    ...callerSettings({ admin: 'admin-token', operations: 'operations-token' }),
    CES_RPC_TOKENS: `lookup=${options.lookup.token}`,
    CES_LOOKUP_URL: options.lookup.url,
    ...options.env,
  });
  const { sources, clock } = options;
  const service = await start(config, logger, { sources, ...(clock && { clock }) });
  const owner = createPool({ connectionString: database.ownerUrl, max: 5, applicationName: 'test', logger });
  const client = { url: service.url, callerToken: 'admin-token', reason: 'a test', timeoutMs: 20_000 };
  const admin = createRpcClient(AcquisitionAdminService, client);
  return {
    admin,
    restores: createRpcClient(RestoreService, client),
    acquisition: createRpcClient(AcquisitionService, { ...client, callerToken: 'operations-token' }),
    owner,
    database,
    async ingest(source, bytes, name = 'file.csv') {
      const { run } = await admin.ingestDocument(parts(source, name, Buffer.from(bytes)), { timeoutMs: 0 });
      if (!run) throw new Error('no run was answered');
      return run;
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await owner.end();
      if (!options.database) await database[Symbol.asyncDispose]();
    },
  };
}

async function* parts(source: string, name: string, bytes: Buffer) {
  yield { part: { case: 'file' as const, value: { source, name, size: BigInt(bytes.length) } } };
  for (let from = 0; from < bytes.length; from += 65_536)
    yield { part: { case: 'chunk' as const, value: bytes.subarray(from, from + 65_536) } };
}
