import { setImmediate as untilAsked } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLogger } from '../telemetry/log.ts';
import { CallerLimits } from './caller-limits.ts';
import { SharedLimits } from './shared-limits.ts';

const SETTINGS = {
  credentialCallsPerSecond: 50,
  credentialBurst: 100,
  addressFailuresPerSecond: 20,
  accountCallsInFlight: 64,
  accountPagesPerSecond: 5,
};

test('tries that could not be judged while the ledger was unavailable do not add up until it is back', async () => {
  let now = 0;
  const take = () => Promise.reject(new Error('away'));
  await using shared = new SharedLimits({ take, now: () => now, logger: createLogger('test', 'silent') });
  const limits = new CallerLimits(shared, SETTINGS);
  const tryAtOnce = () => Array.from({ length: 1_000 }, () => limits.attempt('192.0.2.1'));
  for (let round = 0; round < 10; round += 1) {
    const attempts = tryAtOnce();
    await untilAsked();
    for (const attempt of attempts) attempt.forgive();
    await untilAsked();
    now += 900;
  }
  const rejections = await Promise.all(tryAtOnce().map((attempt) => attempt.fail()));
  expect(rejections.filter((rejection) => rejection === undefined).length).toBeLessThanOrEqual(20);
});
