import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { postgresTlsSettings } from './postgres/connection.ts';
import { leadSettings } from './postgres/lead.ts';
import type { Pool } from './postgres/pool.ts';
import { type DatabaseState, watchDatabase } from './postgres/watch.ts';
import type { CallerPolicy } from './rpc/caller.ts';
import { acceptedTokenSettings, acceptedTokens } from './rpc/caller-tokens.ts';
import type { RequestSizes } from './rpc/message-size.ts';
import { operators } from './rpc/operator.ts';
import { outgoingTokenSettings } from './rpc/outgoing-tokens.ts';
import { startRpcServer } from './rpc/server.ts';
import { acceptedServiceAccounts } from './rpc/service-accounts/accepted-accounts.ts';
import { serviceAccountSettings } from './rpc/service-accounts/settings.ts';
import { rpcTlsSettings } from './rpc/tls.ts';
import { type Readiness, startAdminServer } from './service/admin-server.ts';
import type { RunningService } from './service/lifecycle.ts';
import { flag, integer, type SettingValues, text, url } from './settings.ts';
import type { Logger } from './telemetry/log.ts';

/** Covers the time until load balancers see that this process is no longer ready. */
export const drainDelay = integer('CES_DRAIN_DELAY_MS', 'how long a stopping process still serves calls', {
  default: '0',
  max: 30_000,
});

export function serviceSettings(name: string, defaultPort: number) {
  const prefix = `CES_${name.toUpperCase()}`;
  return {
    host: text('CES_HOST', 'address to listen on; `::`: all', { default: '127.0.0.1' }),
    port: integer(`${prefix}_PORT`, 'RPC port', {
      default: String(defaultPort),
      max: 65_535,
    }),
    adminPort: integer(`${prefix}_ADMIN_PORT`, 'admin port', { default: '0', max: 65_535 }),
    databaseUrl: url(`${prefix}_DATABASE_URL`, `address of the ${name} database`, {
      schemes: ['postgres', 'postgresql'],
      secret: true,
    }),
    databasePool: integer(`${prefix}_DATABASE_POOL`, 'database connections', {
      default: '10',
      min: 1,
    }),
    ...postgresTlsSettings,
    ...leadSettings,
    drainDelayMs: drainDelay,
    connectionAgeMs: integer('CES_RPC_CONNECTION_AGE_MS', 'longest life of a connection to the RPC server', {
      default: '60000',
      min: 1_000,
    }),
    ...rpcTlsSettings,
    ...acceptedTokenSettings,
    ...serviceAccountSettings,
    introspection: flag('CES_RPC_INTROSPECTION', 'whether gRPC health and reflection need no token'),
    operators: operators('CES_RPC_OPERATORS', 'accepted operators as name:role=digest (SHA-256 of a token)'),
  };
}

/** The address of a service, by default on this machine. */
export function peerUrl(name: string, port: number) {
  return url(`CES_${name.toUpperCase()}_URL`, `address of the ${name} service`, {
    schemes: ['http', 'https'],
    default: `http://127.0.0.1:${port}`,
  });
}

export const callerSettings = {
  ...rpcTlsSettings,
  ...outgoingTokenSettings,
};

type ServiceConfig = SettingValues<ReturnType<typeof serviceSettings>>;

export interface ServiceParts {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly pool: Pool;
  readonly routes: (router: ConnectRouter) => void;
  readonly callers: CallerPolicy;
  readonly requestSizes?: RequestSizes;
  readonly identify?: (bearer: string, context: HandlerContext) => Promise<void>;
  /** Asked while the database answers. */
  readonly readiness?: () => Readiness;
  readonly background: readonly AsyncDisposable[];
  readonly onClosing?: () => void;
}

/** A saturated pool stays ready: the database is equally busy for every replica. */
const READINESS: Readonly<Record<DatabaseState, Readiness>> = {
  answering: { ready: true, why: 'the database answers' },
  saturated: { ready: true, why: 'saturated: the database answers, calls wait for a connection of the pool' },
  'read-only': { ready: false, why: 'the database takes no writes' },
  unreachable: { ready: false, why: 'the database cannot be reached' },
};

/**
 * Shutdown (decision 0042): fail readiness, drain, finish open calls, stop background work, end the
 * pool.
 */
export async function serve(parts: ServiceParts): Promise<RunningService> {
  const { config, logger, pool, routes, callers, requestSizes, identify } = parts;
  const serviceAccounts = acceptedServiceAccounts(config, logger);
  const rpc = await startRpcServer({
    ...config,
    callerTokens: acceptedTokens(config, config.sharedTokens),
    serviceAccounts,
    tls: config,
    routes,
    callers,
    logger,
    ...(requestSizes && { requestSizes }),
    ...(identify && { identify }),
  });
  const database = await watchDatabase(pool, logger);
  const admin = await startAdminServer(config.host, config.adminPort, {
    readiness: () => {
      const ofDatabase = READINESS[database.state()];
      return ofDatabase.ready ? (parts.readiness?.() ?? ofDatabase) : ofDatabase;
    },
  });
  return {
    url: rpc.url,
    adminUrl: admin.url,
    async [Symbol.asyncDispose]() {
      admin.drain();
      rpc.drain();
      await pause(config.drainDelayMs);
      parts.onClosing?.();
      await rpc[Symbol.asyncDispose]();
      await serviceAccounts?.[Symbol.asyncDispose]();
      for (const part of parts.background) await part[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await pool.end();
      await admin[Symbol.asyncDispose]();
    },
  };
}
