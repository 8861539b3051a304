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

export function isOutside(env: Environment): boolean {
  return Boolean(env.CES_TEST_GATEWAY_URL);
}

/**
 * Connects to a running stack and empties its record, so the stack must not be in use. Run tests
 * with `--no-file-parallelism`. The stack's own settings apply.
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
  url: '',
  [Symbol.asyncDispose]: async () => undefined,
};

/**
 * Deletes all rows except the single-row tables that migrations fill, because the service requires
 * those.
 */
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
