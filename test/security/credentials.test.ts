import { readSettings } from '@ces/chassis/service/settings';
import { createLogger } from '@ces/chassis/telemetry/log';
import { settings } from '@ces/gateway/config';
import { start } from '@ces/gateway/start';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { seeded } from '../support/random.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';
import { createSubscriber, surface } from '../support/subscriber.ts';
import { CHANGES } from './credentials/changes.ts';
import { runTrials } from './credentials/run-trials.ts';

const TIMES = 18;
const seed = process.env.CES_TEST_SEED ?? String(Date.now());

const cleanup = new AsyncDisposableStack();
let stack: TestStack;
let gateways: string[];

beforeAll(async () => {
  stack = cleanup.use(await startTestStack({ env: { CES_ADDRESS_FAILURES_PER_SECOND: '100000' } }));
  const more = async () => {
    const config = readSettings(settings, stack.environmentOf('gateway'));
    return cleanup.use(await start(config, createLogger('test', 'silent'))).url;
  };
  gateways = [stack.baseUrl, await more(), await more()];
});
afterAll(() => cleanup.disposeAsync());

test('revocation and every change of a subscription are seen by three gateways within a second', {
  tags: 'nightly',
}, async () => {
  onTestFailed(() => console.error(`repeat with CES_TEST_SEED=${seed}`));
  const trials = await runTrials({
    times: TIMES,
    concurrency: 6,
    gateways,
    admin: stack.ledgerAdmin,
    random: seeded(seed),
  });
  expect(trials.flatMap(({ faults }) => faults)).toEqual([]);
  expect(new Set(trials.map(({ change }) => change)).size).toBe(CHANGES.length);
  for (const { judged } of trials) expect(judged).toBeGreaterThanOrEqual(gateways.length);
});

test('a key is issued, listed, rotated with overlap and revoked, and its last use is known', async () => {
  const { accountId, credentialId, token } = await createSubscriber(stack);
  const works = async (bearer: string) => (await surface(gateways[2] ?? '', bearer).report()).status;
  expect(await works(token)).toBe(200);
  const successor = await stack.ledgerAdmin.rotateCredential({ credentialId });
  expect([await works(token), await works(successor.token)]).toEqual([200, 200]);
  const list = async () => (await stack.ledgerAdmin.listCredentials({ accountId })).credentials;
  await expect.poll(async () => (await list()).every(({ lastUsedAt }) => lastUsedAt)).toBe(true);
  await stack.ledgerAdmin.revokeCredential({ credentialId });
  await expect.poll(() => works(token)).toBe(401);
  expect(await works(successor.token)).toBe(200);
  const [old, current] = await list();
  expect([old?.id, old?.revokedAt !== undefined]).toEqual([credentialId, true]);
  expect([current?.id, current?.revokedAt]).toEqual([successor.credential?.id, undefined]);
  expect([old?.prefix, current?.prefix]).toEqual([token.slice(0, 13), successor.token.slice(0, 13)]);
});
