import { setTimeout as pause, setImmediate as untilRead } from 'node:timers/promises';
import { CallerLimits } from '@ces/chassis/limits/caller-limits';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { reportRenewals } from '@ces/chassis/rpc/tls';
import { startAdminServer } from '@ces/chassis/service/admin-server';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { hostToBind, urlOf } from '@ces/chassis/service/listen';
import type { Logger } from '@ces/chassis/telemetry/log';
import { type Authenticate, createAuthenticate, type Identity } from './admission/authenticate.ts';
import { observeConcurrency } from './admission/concurrency-gauges.ts';
import { ConcurrencyLimiter } from './admission/concurrency-limiter.ts';
import { type Changes, PrincipalChanges, type PrincipalVersion } from './admission/principal-changes.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { getCompanies } from './mcp/get-companies.ts';
import type { McpParts } from './mcp/register-mcp.ts';
import { searchCompanies } from './mcp/search-companies.ts';
import { requireValue } from './output/values.ts';
import { createPeers, type Peers } from './peers.ts';
import { checkAnswer } from './rest/check-answer.ts';
import { createFindSources } from './rest/pages/known-sources.ts';
import { apiRoutes } from './rest/routes.ts';
import { createRunCall } from './run-call.ts';

export interface Overrides {
  readonly now?: () => number;
  readonly checkAnswers?: boolean;
  readonly createMcpServer?: McpParts['createMcpServer'];
}

/** The listen(2) backlog. A client that finds it full retries its SYN after a second. */
const CONNECTION_BACKLOG = 4_096;
const DRAIN_LIMIT_MS = 30_000;

/** Disposal drops readiness, waits `drainDelayMs`, lets calls end and closes the port. */
export async function start(config: Config, logger: Logger, overrides: Overrides = {}): Promise<RunningService> {
  const now = overrides.now ?? (() => performance.now());
  const peers = createPeers(config);
  reportRenewals(config, logger);
  const shared = new SharedLimits({ take: peers.callLimits.take, now, logger });
  const limiters = { calls: new ConcurrencyLimiter(config, now), reads: new ConcurrencyLimiter(config, now) };
  const gauges = observeConcurrency(limiters.calls, logger);
  const app = createApp({
    config,
    logger,
    now,
    callers: new CallerLimits(shared, config),
    routes: apiRoutes(peers),
    tools: [searchCompanies(peers), getCompanies(peers)],
    operations: peers.operations,
    runCall: createRunCall(limiters, peers),
    authenticate: createAuthenticateBy(peers, config, now),
    findSources: createFindSources(peers.lookup, now),
    inspect: overrides.checkAnswers ? checkAnswer : undefined,
    createMcpServer: overrides.createMcpServer,
  });
  await app.listen({ host: hostToBind(config.host), port: config.port, backlog: CONNECTION_BACKLOG });
  const admin = await startAdminServer(config.host, config.adminPort, {
    readiness: () => ({ ready: true, why: 'it answers; whether a call can be worked for is said by its answer' }),
  });
  return {
    url: urlOf(config.publicCertFile ? 'https' : 'http', config.host, app.server),
    adminUrl: admin.url,
    async [Symbol.asyncDispose]() {
      admin.drain();
      app.drain();
      await pause(config.drainDelayMs);
      // Timers run before sockets are polled: arrived requests must be read first, or their
      // connections count as idle.
      await untilRead();
      const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_LIMIT_MS);
      await app.close();
      clearTimeout(timer);
      await shared[Symbol.asyncDispose]();
      await gauges[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
    },
  };
}

function createAuthenticateBy({ ledger }: Peers, config: Config, now: () => number): Authenticate {
  const { authenticationFreshMs: freshMs, authenticationStaleMs: staleMs } = config;
  // Slower answers are already stale.
  const ask = (since: PrincipalVersion) => askForChanges(ledger, since, freshMs);
  const changes = new PrincipalChanges({ ask, freshMs, now });
  return createAuthenticate({ ask: (bearer) => askForIdentity(ledger, bearer), changes, freshMs, staleMs, now });
}

async function askForIdentity(ledger: Peers['ledger'], bearer: string): Promise<Identity> {
  const { principal, validForMs, version } = await ledger.authenticate({ bearer });
  return {
    principal: requireValue(principal, 'principal'),
    validForMs: validForMs === undefined ? Number.POSITIVE_INFINITY : Number(validForMs),
    version: requireValue(version, 'version'),
  };
}

async function askForChanges(ledger: Peers['ledger'], since: PrincipalVersion, timeoutMs: number): Promise<Changes> {
  const { now, everything, accountIds } = await ledger.listPrincipalChanges({ since }, { timeoutMs });
  return { now: requireValue(now, 'now'), everything, accountIds };
}
