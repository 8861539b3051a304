import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectRouter, HandlerContext } from '@connectrpc/connect';
import { postgresTlsSettings } from '../postgres/connection.ts';
import { leadSettings } from '../postgres/lead.ts';
import type { Pool } from '../postgres/pool.ts';
import { type DatabaseState, watchDatabase } from '../postgres/watch.ts';
import type { CallerPolicy } from '../rpc/caller.ts';
import { acceptedTokenSettings, acceptedTokens } from '../rpc/caller-tokens.ts';
import type { RequestSizes } from '../rpc/message-size.ts';
import { operators } from '../rpc/operator.ts';
import { ownTokenSettings } from '../rpc/own-tokens.ts';
import { startRpcServer } from '../rpc/server.ts';
import { acceptedServiceAccounts } from '../rpc/service-accounts/accepted-accounts.ts';
import { serviceAccountSettings } from '../rpc/service-accounts/settings.ts';
import { rpcTlsSettings } from '../rpc/tls.ts';
import type { Logger } from '../telemetry/log.ts';
import { type Readiness, startAdminServer } from './admin-server.ts';
import type { RunningService } from './lifecycle.ts';
import { flag, integer, type SettingValues, text, url } from './settings.ts';

/** How long whoever sends calls here may take to see that this process is no longer ready. */
export const drainDelay = integer(
  'CES_DRAIN_DELAY_MS',
  'how long calls are still served at shutdown after readiness is refused, in milliseconds',
  { default: '0', max: 30_000 },
);

/** The settings that every service has; a service adds its own beside them in its `config.ts`. */
export function serviceSettings(name: string, defaultPort: number) {
  const prefix = `CES_${name.toUpperCase()}`;
  return {
    host: text('CES_HOST', 'address to listen on; `::`: every one, of IPv6 and IPv4', { default: '127.0.0.1' }),
    port: integer(`${prefix}_PORT`, 'port of the RPC server; 0 chooses one', {
      default: String(defaultPort),
      max: 65_535,
    }),
    adminPort: integer(`${prefix}_ADMIN_PORT`, 'port of the probes; 0 chooses one', { default: '0', max: 65_535 }),
    databaseUrl: url(`${prefix}_DATABASE_URL`, `address of the ${name} database as the role of the service`, {
      schemes: ['postgres', 'postgresql'],
      secret: true,
    }),
    databasePool: integer(`${prefix}_DATABASE_POOL`, 'connections to the database at most', { default: '10', min: 1 }),
    ...postgresTlsSettings,
    ...leadSettings,
    drainDelayMs: drainDelay,
    connectionAgeMs: integer(
      'CES_RPC_CONNECTION_AGE_MS',
      'greatest age of a connection to the RPC server, in milliseconds',
      {
        default: '60000',
        min: 1_000,
      },
    ),
    ...rpcTlsSettings,
    ...acceptedTokenSettings,
    ...serviceAccountSettings,
    introspection: flag(
      'CES_RPC_INTROSPECTION',
      'whether health and reflection of gRPC answer callers without a token too; probes are on the admin port',
    ),
    operators: operators(
      'CES_RPC_OPERATORS',
      'accepted operators as name:role=digest, the digest the SHA-256 of a token',
    ),
  };
}

/** How this process shows other services who it is. */
export const callerSettings = {
  ...rpcTlsSettings,
  ...ownTokenSettings,
};

type ServiceConfig = SettingValues<ReturnType<typeof serviceSettings>>;

export interface ServiceParts {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly pool: Pool;
  readonly routes: (router: ConnectRouter) => void;
  readonly callers: CallerPolicy;
  /** Largest requests, where they are not the usual ones. */
  readonly requestSizes?: RequestSizes;
  /** Finds who calls without a caller token, by the bearer that its headers show; throws for nobody. */
  readonly identify?: (bearer: string, context: HandlerContext) => Promise<void>;
  /** What runs beside the RPCs, in the order in which it is to be stopped. */
  readonly background: readonly AsyncDisposable[];
  /** Called at shutdown when no new calls are expected: nobody should be kept waiting any longer. */
  readonly onClosing?: () => void;
}

/** A pool that is waited for is no reason to send calls elsewhere: the database is as busy for every replica. */
const READINESS: Readonly<Record<DatabaseState, Readiness>> = {
  answering: { ready: true, why: 'the database answers' },
  saturated: { ready: true, why: 'saturated: the database answers, calls wait for a connection of the pool' },
  'read-only': { ready: false, why: 'the database takes no writes' },
  unreachable: { ready: false, why: 'the database cannot be reached' },
};

/**
 * Serves RPCs and probes until disposed. Order of shutdown (decision 0042): readiness off, calls are served on for
 * a while, calls in hand end, background work stops, pool ends.
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
    readiness: () => READINESS[database.state()],
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
