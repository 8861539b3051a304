import { createPool } from '@ces/chassis/postgres/pool';
import { acceptTokens } from '@ces/chassis/rpc/caller-tokens';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { startRpcServer } from '@ces/chassis/rpc/server';
import { createLogger } from '@ces/chassis/telemetry/log';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import type { ConnectRouter } from '@connectrpc/connect';
import { startGateway } from './gateway.ts';
import { routeLedger } from './ledger.ts';
import { routeLookup, routeSearch } from './lookup.ts';
import { routeOperations } from './operations.ts';

export type Role = 'gateway' | 'operations' | 'ledger' | 'lookup' | 'search';

const SERVICES = [OperationsService, LedgerService, LookupService, SearchService];
const TOKENS = { gateway: 'token-of-the-gateway', operations: 'token-of-operations' };
const TIMEOUT_MS = 30_000;
/** Connections of a process to the database at most, as with the services and the bare handler. */
const CONNECTIONS = 10;

const [, , role = '', databaseUrl = '', urls = '{}'] = process.argv;
const addresses = JSON.parse(urls) as Readonly<Record<string, string>>;
const logger = createLogger(role, 'error');

process.send?.(await start(role as Role));

async function start(name: Role): Promise<string> {
  switch (name) {
    case 'gateway':
      return await startGateway(createRpcClient(OperationsService, to('operations', TOKENS.gateway)));
    case 'operations':
      return await serve(
        routeOperations(openPool(), {
          ledger: createRpcClient(LedgerService, to('ledger', TOKENS.operations)),
          lookup: createRpcClient(LookupService, to('lookup', TOKENS.operations)),
          search: createRpcClient(SearchService, to('search', TOKENS.operations)),
        }),
      );
    case 'ledger':
      return await serve(routeLedger(openPool()));
    case 'lookup':
      return await serve(routeLookup(openPool()));
    case 'search':
      return await serve(routeSearch(openPool()));
  }
}

function to(name: string, callerToken: string) {
  return { url: addresses[name] ?? '', callerToken, timeoutMs: TIMEOUT_MS };
}

function openPool() {
  const settings = { enable_seqscan: 'off' };
  const how = { prepare: true, pipeline: true, settings, logger };
  return createPool({ connectionString: databaseUrl, max: CONNECTIONS, applicationName: role, ...how });
}

async function serve(routes: (router: ConnectRouter) => void): Promise<string> {
  const callers = Object.fromEntries(SERVICES.map(({ typeName }) => [typeName, { '*': Object.keys(TOKENS) }]));
  const callerTokens = acceptTokens(TOKENS);
  return (await startRpcServer({ host: '127.0.0.1', port: 0, routes, callers, callerTokens, logger })).url;
}
