// @module-tag nightly
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRpcClient } from '@ces/chassis/rpc/client';
import { newToken } from '@ces/ledger/credential/token';
import { OperationsService } from '@ces/proto/ces/operations/v1/operations_service_pb.ts';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../lab/cluster/cluster.ts';
import { evidence } from '../lab/load/evidence.ts';
import { ledgerAdmin } from '../lab/load/subscribers.ts';
import { seeded } from '../support/random.ts';
import { heapSnapshot, scanMemory, snapshotSettings } from '../support/security/process-memory.ts';
import { scanDatabase } from '../support/security/scan-database.ts';
import { scanFiles } from '../support/security/scan-files.ts';
import {
  bearer,
  type CallAnswer,
  goodCalls,
  makeCall,
  misplaced,
  type TokenCall,
} from '../support/security/token-calls.ts';
import { formsOf, found } from '../support/security/token-forms.ts';

const seed = process.env.CES_TEST_SEED ?? String(Date.now());
const FRESH_MS = 400;
const STALE_MS = 1_500;

const cleanup = new AsyncDisposableStack();
let cluster: Cluster;
let files: string;
let gateway: string;
const answers: CallAnswer[] = [];
const tokens = new Map<string, string>();
const needles = () => [...tokens].flatMap(([name, token]) => formsOf(name, token));
const tokenOf = (name: string) => tokens.get(name) ?? '';

beforeAll(async () => {
  files = await mkdtemp(path.join(os.tmpdir(), 'ces-secrecy-'));
  cleanup.defer(() => rm(files, { recursive: true, force: true }));
  const settings = {
    CES_LOG_LEVEL: 'trace',
    CES_TRACE_FILE: path.join(files, 'spans.jsonl'),
    CES_TRACE_RATIO: '1',
    CES_TRACE_DELAY_MS: '50',
    CES_ADDRESS_FAILURES_PER_SECOND: '100000',
    CES_CREDENTIAL_BURST: '100000',
    CES_AUTHENTICATION_FRESH_MS: String(FRESH_MS),
    CES_AUTHENTICATION_STALE_MS: String(STALE_MS),
    ...snapshotSettings(files),
  };
  cluster = cleanup.use(await startCluster({ gateways: 1, operations: 1, settings, random: seeded(seed) }));
  gateway = cluster.gateways[0] ?? '';
  await makeTokens();
  await runEverything();
});
afterAll(() => cleanup.disposeAsync());

async function makeTokens(): Promise<void> {
  const admin = ledgerAdmin(cluster.urlOf('ledger'), cluster.secrets.admin_token ?? '');
  const make = async (name: string, status: string, testMode = false, windowRequestUnits?: bigint) => {
    const { account } = await admin.createAccount({ name, testMode });
    const accountId = account?.id ?? 0n;
    const ownLimits = windowRequestUnits === undefined ? {} : { windowRequestUnits };
    await admin.createSubscription({ accountId, plan: 'builder', status, ownLimits });
    const { token, credential } = await admin.issueCredential({ accountId, label: name });
    tokens.set(name, token);
    return credential?.id ?? 0n;
  };
  const credentialId = await make('live', 'active');
  await make('test', 'active', true);
  await make('unpaid', 'past_due');
  await make('without allowance', 'active', false, 0n);
  await admin.revokeCredential({ credentialId: await make('revoked', 'active') });
  tokens.set('successor', (await admin.rotateCredential({ credentialId })).token);
  tokens.set('unknown', newToken(false));
  const other = newToken(false);
  tokens.set('mistyped', other.slice(0, -1) + (other.endsWith('a') ? 'b' : 'a'));
  await evidence(cluster.urlOf('lookup'), cluster.urlOf('search'), cluster.secrets.admin_token ?? '').record(
    'bakery',
    'base1x1',
  );
}

async function hear(calls: readonly TokenCall[]): Promise<void> {
  for (const call of calls) answers.push(await makeCall(gateway, call));
}

/**
 * Success and every refusal over REST, MCP and RPC, then the same while parts of the service are
 * down.
 */
async function runEverything(): Promise<void> {
  for (const token of tokens.values()) await hear(goodCalls(token));
  for (const name of ['live', 'unknown', 'mistyped']) await hear(misplaced(tokenOf(name), tokenOf('live')));
  await callOperations();
  await whileDown('lookup', () => hear(goodCalls(tokenOf('live')).filter(({ method }) => method === 'GET')));
  await whileDown('operations', () => hear(goodCalls(tokenOf('live'))));
  await whileDown('ledger', async () => {
    await hear(goodCalls(tokenOf('live')));
    await hear(goodCalls(newTokenNamed('never answered')));
    await callOperations();
  });
}

function newTokenNamed(name: string): string {
  const token = newToken(false);
  tokens.set(name, token);
  return token;
}

async function whileDown(name: string, work: () => Promise<void>): Promise<void> {
  const part = cluster.services.find((one) => one.name === `${name}-1`);
  const { promise: back, resolve } = Promise.withResolvers<void>();
  await part?.kill(back);
  await work();
  resolve();
  await part?.untilUp();
}

async function callOperations(): Promise<void> {
  const url = cluster.urlOf('operations');
  const clients = [
    createRpcClient(OperationsService, { url, timeoutMs: 10_000 }),
    createClient(OperationsService, createGrpcTransport({ baseUrl: url, defaultTimeoutMs: 10_000 })),
  ];
  for (const [name, token] of tokens)
    for (const client of clients)
      for (const value of [token, `Bearer ${token}`, `${token}é`]) {
        const call = client.submitCompanySearch(
          { caller: { identity: { case: 'bearer', value } }, requestKey: name, input: { query: 'bakery' } },
          { headers: bearer(token) },
        );
        const answer = await call.then(
          String,
          (error) => `${error} ${JSON.stringify([...error.metadata])} ${error.stack}`,
        );
        answers.push({ what: `RPC with ${name}`, status: 0, bytes: Buffer.from(answer) });
      }
}

test('the run met success and every refusal', () => {
  expect(answers.filter(({ status }) => status === 500).map(({ what }) => what)).toEqual([]);
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 202, 400, 401, 402, 404, 422, 429, 503]));
});

test('no answer repeats a token, in its head or in its body', () => {
  const leaks = answers.flatMap(({ what, bytes }) => found(needles(), bytes).map((form) => `${what}: ${form}`));
  expect(leaks).toEqual([]);
});

test('no table holds a token or its hash without a key', async () => {
  for (const [name, { ownerUrl }] of cluster.servers.databases) {
    const { columns, values, leaks } = await scanDatabase(ownerUrl, needles());
    expect(leaks, name).toEqual([]);
    expect([columns > 0, values > 0], name).toEqual([true, true]);
  }
});

test('no log, span, file of the database or stream of the broker holds a token', async () => {
  const { files: count, leaks } = await scanFiles([cluster.servers.directory, files], needles());
  expect(leaks).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

test('no heap holds a token once the cached answers have ended', async () => {
  await new Promise((resolve) => setTimeout(resolve, STALE_MS));
  for (const { name, current } of cluster.services) {
    if (!/gateway|ledger|operations/.test(name)) continue;
    const snapshot = await heapSnapshot(current.pid, files);
    const { leaks } = await scanFiles([path.dirname(snapshot)], needles());
    expect(leaks, name).toEqual([]);
    await rm(snapshot);
  }
});

test('services that need no token never have one in their memory', async () => {
  const plain = needles().filter(({ what }) => what.endsWith('half'));
  for (const { name, current } of cluster.services) {
    if (/gateway|ledger|operations/.test(name)) continue;
    const remains = await scanMemory(current.pid, plain);
    if (remains === undefined) console.log(`the memory of ${name} may not be read here`);
    expect(remains ?? [], name).toEqual([]);
  }
});
