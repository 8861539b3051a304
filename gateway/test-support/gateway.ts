import { startRpcServer } from '@ces/chassis/rpc/server';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { acceptTokens } from '@ces/chassis/test-support/accept-tokens';
import { LedgerService } from '@ces/proto/ces/ledger/v1/ledger_service_pb.ts';
import { LookupService } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';
import { type Config, settings } from '../src/config.ts';
import { type Overrides, start } from '../src/start.ts';
import { identityOf, TOKEN } from './peers.ts';

export interface PeerScripts {
  readonly ledger?: Partial<ServiceImpl<typeof LedgerService>>;
  readonly operations?: Partial<ServiceImpl<typeof OperationsService>>;
  readonly lookup?: Partial<ServiceImpl<typeof LookupService>>;
}

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  call(path: string, init?: CallInit): Promise<Response>;
  cutPeers(): Promise<void>;
}

export interface CallInit extends Omit<RequestInit, 'body' | 'headers'> {
  readonly requestKey?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

const ANY_CALLER = { '*': ['gateway'] };

/**
 * Starts the real gateway over HTTP. The services behind it are fakes that use the real protos and
 * the scripted answers.
 */
export async function startGateway(
  scripts: PeerScripts,
  options: Overrides & { readonly config?: Partial<Config>; readonly logLevel?: string } = {},
): Promise<TestGateway> {
  const logger = createLogger('test', options.logLevel ?? 'silent');
  const peers = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    routes: scriptedRoutes(scripts),
    callers: {
      'ces.ledger.v1.LedgerService': ANY_CALLER,
      'ces.operations.v1.OperationsService': ANY_CALLER,
      'ces.lookup.v1.LookupService': ANY_CALLER,
    },
    callerTokens: acceptTokens({ gateway: 'gateway-token' }),
    logger,
  });
  const config = { ...testConfig(peers.url), ...options.config };
  const gateway = await start(config, logger, { checkAnswers: true, ...options });
  return {
    url: gateway.url,
    port: Number(new URL(gateway.url).port),
    call: (path, init) => fetch(`${gateway.url}${path}`, requestInit(init)),
    cutPeers: async () => await peers[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await peers[Symbol.asyncDispose]();
    },
  };
}

function scriptedRoutes(scripts: PeerScripts): (router: ConnectRouter) => void {
  return (router) => {
    router.service(LedgerService, {
      authenticate: ({ bearer }) => identityOf(bearer),
      ...scripts.ledger,
    });
    router.service(OperationsService, scripts.operations ?? {});
    router.service(LookupService, scripts.lookup ?? {});
  };
}

export function testConfig(peersUrl: string): Config {
  return readSettings(settings, {
    CES_PORT: '0',
    CES_RPC_TOKENS: 'ledger=gateway-token,operations=gateway-token,lookup=gateway-token',
    CES_LEDGER_URL: peersUrl,
    CES_OPERATIONS_URL: peersUrl,
    CES_LOOKUP_URL: peersUrl,
  });
}

function requestInit({ requestKey, json, headers, ...init }: CallInit = {}): RequestInit {
  return {
    ...init,
    ...(json !== undefined && { body: JSON.stringify(json) }),
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(requestKey !== undefined && { 'idempotency-key': requestKey }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  };
}
