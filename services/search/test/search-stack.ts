import { randomBytes } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { readSettings } from '@ces/chassis/env';
import { createLogger } from '@ces/chassis/log';
import { createRpcClient } from '@ces/chassis/rpc-client';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { CompanyDocumentSchema, ObservationDocumentSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type SearchFilters, SearchFiltersSchema } from '@ces/proto/ces/search/v1/search_pb.ts';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { inject } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { settings } from '../src/config.ts';
import { type Overrides, start } from '../src/start.ts';
import { RECORD_TOKEN, type RecordServer, startRecordServer } from './record-server.ts';

/** A search service on a database, a broker and a record of its own, and clients of it. */
export async function startSearchStack(overrides: Overrides = {}, environment: Record<string, string> = {}) {
  const stack = new AsyncDisposableStack();
  const database: TestDatabase = stack.use(await createTestDatabase('search'));
  const record: RecordServer = stack.use(await startRecordServer());
  const natsPrefix = `search_${randomBytes(4).toString('hex')}`;
  const config = readSettings(settings, {
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: database.url,
    CES_RPC_CALLER_TOKENS: 'operations=token-of-operations,admin=token-of-admin,gateway=token-of-gateway',
    CES_RPC_TOKEN: RECORD_TOKEN,
    CES_LOOKUP_URL: record.url,
    NATS_URL: inject('natsUrl'),
    CES_NATS_PREFIX: natsPrefix,
    ...environment,
  });
  const service = stack.use(await start(config, createLogger('search', 'silent'), overrides));
  const clientAs = (caller: string) =>
    createRpcClient(SearchService, { url: service.url, callerToken: `token-of-${caller}`, timeoutMs: 10_000 });
  const admin = createRpcClient(SearchAdminService, {
    url: service.url,
    callerToken: 'token-of-admin',
    timeoutMs: 10_000,
  });
  return {
    database,
    record,
    config,
    service,
    natsPrefix,
    search: clientAs('operations'),
    clientAs,
    admin,
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

export type SearchStack = Awaited<ReturnType<typeof startSearchStack>>;

/** Every kind but profiles, as operations asks by default. */
export const ACTIVITY_KINDS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly Kind[];

export function filters(init: MessageInitShape<typeof SearchFiltersSchema> = {}): SearchFilters {
  return create(SearchFiltersSchema, { kinds: [...ACTIVITY_KINDS], ...init });
}

/** Plans a query and ranks by the plan. */
export async function searchFor(
  stack: SearchStack,
  query: string,
  options: {
    readonly filters?: SearchFilters;
    readonly waitForTx?: bigint;
    readonly explain?: boolean;
    readonly candidateLimit?: number;
    readonly maxCompanies?: number;
  } = {},
) {
  const chosen = options.filters ?? filters();
  const { plan } = await stack.search.plan({ query, filters: chosen });
  return await stack.search.search({
    ...(plan && { plan }),
    filters: chosen,
    candidateLimit: options.candidateLimit ?? 100,
    maxCompanies: options.maxCompanies ?? 100,
    explain: options.explain ?? false,
    waitForTx: options.waitForTx ?? 0n,
  });
}

/** An observation document with what a test does not care about filled in. */
export function observation(
  id: bigint,
  companyId: bigint,
  observedFact: string,
  init: MessageInitShape<typeof ObservationDocumentSchema> = {},
): MessageInitShape<typeof ObservationDocumentSchema> {
  return {
    id,
    version: 1n,
    companyId,
    observedFact,
    kind: Kind.FACILITY_EXPANSION,
    country: Country.US,
    occurredAt: timestampFromDate(new Date('2026-10-01T00:00:00Z')),
    observedAt: timestampFromDate(new Date('2026-10-02T00:00:00Z')),
    recordedAt: timestampFromDate(new Date('2026-10-03T00:00:00Z')),
    ...init,
  };
}

/** A company document with what a test does not care about filled in. */
export function company(
  id: bigint,
  name: string,
  init: MessageInitShape<typeof CompanyDocumentSchema> = {},
): MessageInitShape<typeof CompanyDocumentSchema> {
  return { id, version: 1n, name, country: Country.US, survivorId: id, ...init };
}
