// @module-tag nightly
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import https from 'node:https';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import tls from 'node:tls';
import type { DescService } from '@bufbuild/protobuf';
import { settings as acquisitionSettings } from '@ces/acquisition/config';
import { start as startAcquisition } from '@ces/acquisition/start';
import { migrate } from '@ces/chassis/postgres/migrate';
import { createRpcClient } from '@ces/chassis/rpc/client';
import type { RunningService } from '@ces/chassis/service/lifecycle';
import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { callerSettings } from '@ces/chassis/test-support/accept-tokens';
import { settings as gatewaySettings } from '@ces/gateway/config';
import { start as startGateway } from '@ces/gateway/start';
import { settings as ledgerSettings } from '@ces/ledger/config';
import { start as startLedger } from '@ces/ledger/start';
import { settings as lookupSettings } from '@ces/lookup/config';
import { start as startLookup } from '@ces/lookup/start';
import { settings as operationsSettings } from '@ces/operations/config';
import { start as startOperations } from '@ces/operations/start';
import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { LedgerAdminService } from '@ces/proto/ces/ledger/v1/ledger_admin_service_pb.ts';
import { SearchAdminService } from '@ces/proto/ces/search/v1/search_service_pb.ts';
import { settings as searchSettings } from '@ces/search/config';
import { start as startSearch } from '@ces/search/start';
import { freePort } from '@ces/servers/ports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '../support/certificates.ts';
import { MountedSecret } from '../support/mounted-secret.ts';
import { type ConfiguredNats, createFolder, startConfiguredNats } from '../support/nats-access.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { startTlsPostgres, type TlsPostgres } from '../support/tls-postgres.ts';

// Gateway, services, Postgres and NATS with mutual TLS on every connection.

const NOTICES = path.resolve(
  import.meta.dirname,
  '../../services/acquisition/src/sources/canadabuys/documents/open-tender-notices.csv',
);
const SERVICES = path.resolve(import.meta.dirname, '../../services');
const logger = createLogger('test', process.env.CES_TEST_LOG ?? 'silent');
const authority = await createAuthority();
const CALLERS = ['gateway', 'operations', 'search', 'lookup', 'acquisition'];
const cleanup = new AsyncDisposableStack();
const urls: Record<string, string> = {};

let secret: MountedSecret;
let postgres: TlsPostgres;
let nats: ConfiguredNats;
let natsMonitor: string;
let token: string;

beforeAll(async () => {
  secret = cleanup.use(await MountedSecret.create(authority, ['127.0.0.1', 'localhost']));
  postgres = cleanup.use(await startTlsPostgres(authority));
  const environment = await prepare();
  const run = async (name: string, start: (env: Record<string, string>) => Promise<RunningService>) => {
    const service = cleanup.use(await start({ ...environment, CES_RPC_TOKENS: tokensOf(name) }));
    environment[`CES_${name.toUpperCase()}_URL`] = service.url;
    urls[name] = service.url;
  };
  await run('ledger', (env) => startLedger(readSettings(ledgerSettings, env), logger));
  await run('lookup', (env) => startLookup(readSettings(lookupSettings, env), logger));
  await run('search', (env) => startSearch(readSettings(searchSettings, env), logger));
  await run('acquisition', (env) => startAcquisition(readSettings(acquisitionSettings, env), logger));
  await run('operations', (env) => startOperations(readSettings(operationsSettings, env), logger));
  await run('gateway', (env) => startGateway(readSettings(gatewaySettings, env), logger));
  token = await issueToken();
});
afterAll(() => cleanup.disposeAsync());

function tokensOf(name: string): string {
  return ['ledger', ...CALLERS].map((callee) => `${callee}=token-of-${name}`).join(',');
}

async function prepare(): Promise<Record<string, string>> {
  const { certFile, keyFile, caFile } = secret.files;
  const shown = { postgresCaFile: caFile, postgresCertFile: certFile, postgresKeyFile: keyFile };
  const folder = cleanup.use(await createFolder());
  const files = `cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}"`;
  const monitorPort = await freePort(0);
  natsMonitor = `http://127.0.0.1:${monitorPort}`;
  nats = cleanup.use(
    await startConfiguredNats(
      folder.path,
      `http: "127.0.0.1:${monitorPort}"\ntls { ${files}, verify: true }\nauthorization { user: ces, password: right-secret }`,
    ),
  );
  const environment: Record<string, string> = {
    ...NO_FLOOD_LIMITS,
    CES_HOST: '127.0.0.1',
    CES_PORT: '0',
    NATS_URL: nats.url.replace('nats:', 'tls:'),
    CES_NATS_USER: 'ces',
    CES_NATS_PASSWORD: 'right-secret',
    ...callerSettings(Object.fromEntries([...CALLERS, 'admin'].map((name) => [name, `token-of-${name}`]))),
    CES_RPC_CONNECTION_AGE_MS: '1000',
    CES_LEDGER_PEPPERS: `test=${'5a'.repeat(32)}`,
    CES_LEDGER_SIGNING_KEYS: `test=${'3c'.repeat(32)}`,
    CES_OPERATIONS_CURSOR_KEYS: `test=${'a5'.repeat(32)}`,
  };
  for (const hop of ['RPC_TLS', 'POSTGRES', 'NATS'])
    Object.assign(environment, {
      [`CES_${hop}_CERT_FILE`]: certFile,
      [`CES_${hop}_KEY_FILE`]: keyFile,
      [`CES_${hop}_CA_FILE`]: caFile,
    });
  Object.assign(environment, { CES_PUBLIC_CERT_FILE: certFile, CES_PUBLIC_KEY_FILE: keyFile });
  for (const name of ['ledger', 'lookup', 'search', 'acquisition', 'operations']) {
    for (const role of [`${name}_owner`, name]) await postgres.query(`create role ${role} login password 'test'`);
    await postgres.query(`create database ${name} owner ${name}_owner`);
    const address = (role: string) => `postgres://${role}:test@localhost:${postgres.server.port}/${name}`;
    const limits = { lockTimeoutMs: 500, attempts: 1 };
    await migrate(path.join(SERVICES, name, 'migrations'), address(`${name}_owner`), logger, { ...limits, ...shown });
    environment[`CES_${name.toUpperCase()}_DATABASE_URL`] = address(name);
    environment[`CES_${name.toUpperCase()}_PORT`] = '0';
  }
  return environment;
}

function adminOf<S extends DescService>(service: S, name: string) {
  const { certFile, keyFile, caFile } = secret.files;
  return createRpcClient(service, {
    url: urls[name] ?? '',
    callerToken: 'token-of-admin',
    reason: 'a test',
    timeoutMs: 30_000,
    tls: { tlsCertFile: certFile, tlsKeyFile: keyFile, tlsCaFile: caFile, tlsClientAuth: 'require', tlsRefreshMs: 500 },
  });
}

async function issueToken(): Promise<string> {
  const admin = adminOf(LedgerAdminService, 'ledger');
  const { account } = await admin.createAccount({ name: 'test' });
  const accountId = account?.id ?? 0n;
  const limits = { windowRequestUnits: 100_000n, weekRequestUnits: 100_000n, periodRequestUnits: 100_000n };
  await admin.createSubscription({ accountId, plan: 'professional', status: 'active', ownLimits: limits });
  return (await admin.issueCredential({ accountId, label: 'test' })).token;
}

async function search(): Promise<number | undefined> {
  const request = https.request(`${urls.gateway}/api/companies/search`, {
    method: 'POST',
    agent: false,
    ca: authority.pem,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
  });
  request.end(JSON.stringify({ query: 'bakery' }));
  const [response] = await once(request, 'response');
  await json(response);
  return response.statusCode;
}

async function serialAt(url: string): Promise<string> {
  const socket = tls.connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test('a search goes over TLS on every hop, and no session of a service in Postgres is without', async () => {
  expect(await search()).toBe(200);
  const sessions = await postgres.query(
    `select usename, bool_and(ssl) as ssl, bool_and(client_dn is not null) as known
      from pg_stat_ssl join pg_stat_activity using (pid) where usename <> 'postgres' group by 1 order by 1`,
  );
  expect(sessions).toEqual(
    ['acquisition', 'ledger', 'lookup', 'operations', 'search'].map((usename) => ({ usename, ssl: true, known: true })),
  );
});

test('a file goes from acquisition to lookup and, by a message, into the index', async () => {
  const bytes = await readFile(NOTICES);
  const { run } = await adminOf(AcquisitionAdminService, 'acquisition').ingestDocument(
    (async function* () {
      const file = { source: 'canadabuys', name: 'notices.csv', size: BigInt(bytes.length) };
      yield { part: { case: 'file' as const, value: file } };
      yield { part: { case: 'chunk' as const, value: bytes } };
    })(),
  );
  expect(run?.created).toBeGreaterThan(0n);
  const admin = adminOf(SearchAdminService, 'search');
  const indexed = async () => (await admin.getIndexStatus({})).observations;
  await expect.poll(indexed).toBeGreaterThan(0n);
  const { connections } = (await (await fetch(`${natsMonitor}/connz?auth=1`)).json()) as {
    connections: { name: string; tls_version?: string; authorized_user?: string }[];
  };
  const known = connections.map(({ name, tls_version, authorized_user }) => [name, tls_version, authorized_user]);
  expect(known.toSorted()).toEqual(['lookup', 'operations', 'search'].map((name) => [name, '1.3', 'ces']));
});

test('no connection is in plain text', async () => {
  for (const url of Object.values(urls)) {
    expect(url).toMatch(/^https:/);
    await expect(fetch(url.replace('https:', 'http:'), { signal: AbortSignal.timeout(5_000) })).rejects.toThrow();
  }
});

test('every certificate is replaced under load, and no search fails', async () => {
  const statuses: (number | undefined | string)[] = [];
  let isOver = false;
  const callers = Array.from({ length: 2 }, async () => {
    while (!isOver) statuses.push(await search().catch(String));
  });
  for (let round = 0; round < 2; round += 1) {
    await secret.replace(authority, authority.pem);
    await postgres.replace(authority, authority.pem);
    nats.reload();
    const { serialNumber } = new X509Certificate(await readFile(secret.files.certFile));
    for (const url of Object.values(urls)) await expect.poll(() => serialAt(url)).toBe(serialNumber);
    const target = statuses.length + 5;
    await expect.poll(() => statuses.length).toBeGreaterThan(target);
  }
  isOver = true;
  await Promise.all(callers);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
