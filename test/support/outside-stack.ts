import { createRpcClient } from '@ces/chassis/rpc/client';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { OperationsAdminService } from '@ces/proto/ces/operations/v1/operations_admin_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';

type Environment = Readonly<Record<string, string | undefined>>;

const REBUILT_WITHIN_MS = 60_000;

/** Whether tests are to run against a stack that runs already: CES_TEST_* say where it is. */
export function isOutside(env: Environment): boolean {
  return Boolean(env.CES_TEST_GATEWAY_URL);
}

/**
 * A running stack as tests see it, with an empty record: what is in it is thrown away, so it must not be in use. Tests take
 * turns at it (`--no-file-parallelism`), and its settings are its own.
 */
export async function openOutsideStack(env: Environment) {
  const said = (name: string) => {
    const value = env[`CES_TEST_${name}`];
    if (!value) throw new Error(`CES_TEST_${name} must be set to test a stack that runs already`);
    return value;
  };
  const peer = (name: string) => ({
    url: said(`${name}_URL`),
    callerToken: said('ADMIN_TOKEN'),
    reason: 'a test',
    timeoutMs: REBUILT_WITHIN_MS,
  });
  const searchAdmin = createRpcClient(SearchAdminService, peer('SEARCH'));
  const untilIndexed = async (tx = 0n) => {
    const caughtUp = async () => {
      const { lag, position } = await searchAdmin.getIndexStatus({});
      expect({ lag, passed: (position?.tx ?? 0n) >= tx }).toEqual({ lag: 0n, passed: true });
    };
    await vi.waitFor(caughtUp, { timeout: REBUILT_WITHIN_MS, interval: 50 });
  };
  await emptyRecord(said('LOOKUP_OWNER_DATABASE_URL'));
  await searchAdmin.rebuildIndex({});
  await untilIndexed();
  const database = (service: string) => ({
    ...ABSENT,
    get ownerUrl() {
      return said(`${service}_OWNER_DATABASE_URL`);
    },
  });
  return {
    baseUrl: said('GATEWAY_URL'),
    environmentOf: () => {
      throw new Error('the settings of a stack that runs already are not known');
    },
    databases: {
      ledger: database('LEDGER'),
      operations: database('OPERATIONS'),
      search: database('SEARCH'),
      lookup: database('LOOKUP'),
    },
    ledger: createRpcClient(LedgerService, peer('LEDGER')),
    ledgerAdmin: createRpcClient(LedgerAdminService, peer('LEDGER')),
    record: createRpcClient(RecordService, peer('LOOKUP')),
    searchAdmin,
    operationsAdmin: createRpcClient(OperationsAdminService, peer('OPERATIONS')),
    acquisitionAdmin: createRpcClient(AcquisitionAdminService, peer('ACQUISITION')),
    acquisitionDatabase: undefined,
    untilIndexed,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const ABSENT = {
  /** Tests act as owners alone. */
  url: '',
  [Symbol.asyncDispose]: async () => undefined,
};

/** All that the record holds. What migrations have put there stays: of such tables each has one row, and the service counts on it. */
async function emptyRecord(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
       where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
         and relname not in ('migration', 'lease')
         and not exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'only_row')`,
    );
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`);
  } finally {
    await client.end();
  }
}
