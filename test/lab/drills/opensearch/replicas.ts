import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { SearchAdminService, SearchService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { RECORD_TOKEN } from '@ces/search/test-support/record-server';
import { startService } from '@ces/servers/processes/service';
import { SERVICES } from '@ces/topology/services';
import type { Client } from '@connectrpc/connect';
import pg from 'pg';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';

export interface Replica extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly search: Client<typeof SearchService>;
  readonly admin: Client<typeof SearchAdminService>;
  readonly proxies: readonly HttpProxy[];
  readonly hasEnded: () => boolean;
  /** False while it is stopped, so that it receives no searches, as with a load balancer. */
  isServing: boolean;
}

export interface ReplicaOptions {
  readonly directory: string;
  readonly databaseUrl: string;
  readonly recordUrl: string;
  readonly addresses: readonly (readonly string[])[];
  readonly settings: Readonly<Record<string, string>>;
}

const LEASE = 'opensearch-projector';
/** Short, so that another process soon takes over a silent projector. */
const TIMES = { CES_LEAD_LEASE_MS: '3000', CES_LEAD_RENEWAL_MS: '1000' };
const SEARCH_TIMEOUT_MS = 5_000;

export async function startReplica(name: string, options: ReplicaOptions): Promise<Replica> {
  await using starting = new AsyncDisposableStack();
  const proxies: HttpProxy[] = [];
  for (const nodes of options.addresses) proxies.push(starting.use(await startHttpProxy(nodes)));
  const service = SERVICES.find((one) => one.name === 'search');
  if (!service) throw new Error('there is no search service');
  const env = {
    PATH: process.env.PATH ?? '',
    CES_LOG_LEVEL: 'info',
    CES_SEARCH_PORT: '0',
    CES_SEARCH_DATABASE_URL: options.databaseUrl,
    ...callerSettings({ operations: 'operations', admin: 'admin' }),
    CES_RPC_TOKENS: `lookup=${RECORD_TOKEN}`,
    CES_LOOKUP_URL: options.recordUrl,
    CES_NATS_PREFIX: `drill_${randomBytes(4).toString('hex')}`,
    CES_SEARCH_ENGINE: 'opensearch',
    CES_SEARCH_OPENSEARCH_URL: proxies.map(({ url }) => url).join(','),
    ...TIMES,
    ...options.settings,
  };
  const running = starting.use(await startService(service, env, path.join(options.directory, `${name}.log`)));
  const call = { url: running.url, timeoutMs: SEARCH_TIMEOUT_MS };
  let hasEnded = false;
  void running.ended.then(() => {
    hasEnded = true;
  });
  const started = starting.move();
  return {
    name,
    pid: running.pid,
    search: createRpcClient(SearchService, { ...call, callerToken: 'operations' }),
    admin: createRpcClient(SearchAdminService, { ...call, callerToken: 'admin', reason: 'a drill' }),
    proxies,
    hasEnded: () => hasEnded,
    isServing: true,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

export async function findProjecting(replicas: readonly Replica[], databaseUrl: string): Promise<Replica | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ holder: string }>(
      'select holder from lease where name = $1 and until > clock_timestamp()',
      [LEASE],
    );
    return replicas.find(({ pid }) => rows[0]?.holder.split('/')[1] === String(pid));
  } finally {
    await client.end();
  }
}
