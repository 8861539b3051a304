import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startFakeGateway } from '../test-support/fake-gateway.ts';

const ENTRY = path.join(import.meta.dirname, '../bin/ces.mjs');
const RUNS = 20;
const UNITS = { request_units: 1, weekly_request_units: 1, delivered_units: 1, weekly_delivered_units: 1 };
const INSTANT = '2026-11-01T00:00:00.000Z';
const REPORT = {
  subscription: { plan: 'builder', status: 'active', current_period_start: INSTANT, current_period_end: INSTANT },
  usage: { ...UNITS, fresh_evidence_units: 0 },
  limits: UNITS,
  reservations: { request_units: 0, delivered_units: 0 },
};

async function wallMs(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const from = performance.now();
  await promisify(execFile)(process.execPath, argv, { env: { ...process.env, ...env } });
  return performance.now() - from;
}

/** Alternates the two and takes the shortest run of each, because other work slows both. */
test('ces usage takes at most 4.5 times as long as a Node that does nothing', { tags: 'nightly' }, async () => {
  await using gateway = await startFakeGateway(() => ({ status: 200, body: REPORT }));
  const env = { CES_GATEWAY_URL: gateway.url, CES_TOKEN: 'x', CES_DATA_DIR: '/nonexistent' };
  await wallMs([ENTRY, 'usage'], env);
  const [idle, usage]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    idle.push(await wallMs(['-e', '0'], env));
    usage.push(await wallMs([ENTRY, 'usage'], env));
  }
  expect(Math.min(...usage) / Math.min(...idle)).toBeLessThanOrEqual(4.5);
});
