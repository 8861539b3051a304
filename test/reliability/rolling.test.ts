// @module-tag nightly
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startService } from '@ces/servers/processes/service';
import { SERVICES } from '@ces/topology/services';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkEnded, checkKeys, checkMatching, checkUnits } from '../lab/checks/settlement.ts';
import { readSnapshot } from '../lab/checks/snapshot.ts';
import { type Balancer, startBalancer } from '../lab/cluster/balancer.ts';
import { Replicas } from '../lab/drills/rolling/replicas.ts';
import { failedCalls, runTraffic } from '../lab/drills/rolling/traffic.ts';
import { AMPLE } from '../lab/load/subscribers.ts';
import { NO_FLOOD_LIMITS } from '../support/no-flood-limits.ts';
import { seeded } from '../support/random.ts';
import { facilities, recordEvidence } from '../support/record.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber } from '../support/subscriber.ts';

// The small version of `npm run lab -- rolling`: the two services that callers wait for.
const RATE = 8;
const SETTINGS = {
  CES_DRAIN_DELAY_MS: '2000',
  ...NO_FLOOD_LIMITS,
};
const seed = process.env.CES_TEST_SEED ?? String(Date.now());

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let directory: string;
let operations: Replicas;
let gateways: Replicas;
let front: Balancer;

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: SETTINGS }));
  directory = await mkdtemp(path.join(os.tmpdir(), 'ces-rolling-'));
  cleanup.defer(() => rm(directory, { recursive: true }));
  const inner = cleanup.use(await startBalancer());
  front = cleanup.use(await startBalancer());
  operations = await startReplicas('operations', inner, {});
  gateways = await startReplicas('gateway', front, { CES_OPERATIONS_URL: `http://127.0.0.1:${inner.port}` });
  const { companies, observations } = facilities(5, 'steel works');
  await recordEvidence(stack, companies, observations);
});
afterAll(() => cleanup.disposeAsync());

async function startReplicas(name: 'operations' | 'gateway', balancer: Balancer, env: Record<string, string>) {
  const service = SERVICES.find((one) => one.name === name);
  if (!service) throw new Error(`there is no service ${name}`);
  const all = { ...stack.environmentOf(name), ...SETTINGS, CES_LOG_LEVEL: 'info', ...env };
  const start = () => startService(service, all, path.join(directory, `${name}.log`));
  return cleanup.use(await Replicas.start(name, 2, balancer, start));
}

test('processes of operations and of the gateway are replaced one by one, and no call of any client fails', async () => {
  console.log(`repeat with CES_TEST_SEED=${seed}`);
  const { token, accountId } = await createSubscriber(stack, { limits: AMPLE });
  const doors = [{ baseUrl: `http://127.0.0.1:${front.port}`, token, accountId, surface: 'rest' as const }];
  const stop = new AbortController();
  const traffic = runTraffic(
    { rate: RATE, doors, random: seeded(seed), words: ['steel works'], domains: ['nobody.example'] },
    stop.signal,
  );
  await operations.restart();
  await gateways.restart();
  stop.abort();
  const attempts = await traffic;
  expect(failedCalls(attempts)).toEqual([]);
  expect([...operations.ends, ...gateways.ends]).toEqual([0, 0, 0, 0]);
  const addresses = { operations: stack.databases.operations.ownerUrl, ledger: stack.databases.ledger.ownerUrl };
  await expect
    .poll(async () => checkEnded(await readSnapshot(addresses)), { timeout: 60_000, interval: 200 })
    .toEqual([]);
  const snapshot = await readSnapshot(addresses);
  expect([...checkMatching(snapshot), ...checkUnits(snapshot), ...checkKeys(snapshot, attempts)]).toEqual([]);
  expect(await readFile(path.join(directory, 'operations.log'), 'utf8')).toContain('"stopping"');
});
