import { CallerLimits } from '@ces/chassis/limits/caller-limits';
import { SharedLimits } from '@ces/chassis/limits/shared-limits';
import { createLogger } from '@ces/chassis/telemetry/log';
import { expect, onTestFinished, test } from 'vitest';
import { PublicError } from '../errors/public-error.ts';
import { CallLimits } from './call-limits.ts';

const settings = {
  credentialCallsPerSecond: 50,
  credentialBurst: 100,
  addressFailuresPerSecond: 20,
  accountCallsInFlight: 64,
  accountPagesPerSecond: 5,
  maxInFlightCalls: 1000,
  pollsPerSecond: 5,
  accountObservationsPerHour: 600,
  rejectionDelayMs: 0,
};
const refused = expect.objectContaining({ code: 'rate_limited', status: 429 });
const full = expect.objectContaining({ code: 'service_unavailable', status: 503, headers: { 'retry-after': '2' } });

/** The ledger does not answer, so the gateway applies its own limits. */
function setUp(changes: Partial<typeof settings> = {}) {
  const clock = { ms: 0 };
  const now = () => clock.ms;
  const take = () => Promise.reject(new Error('away'));
  const shared = new SharedLimits({ take, now, logger: createLogger('test', 'silent') });
  onTestFinished(() => shared[Symbol.asyncDispose]());
  const own = { ...settings, ...changes };
  return { clock, limits: new CallLimits(new CallerLimits(shared, own), own, now) };
}

test('a credential makes 100 calls at once and 50 a second', async () => {
  const { clock, limits } = setUp();
  for (let n = 0; n < 100; n += 1) await limits.takeCall(1n);
  await expect(limits.takeCall(1n)).rejects.toThrow(refused);
  await limits.takeCall(2n);
  clock.ms = 1_000;
  for (let n = 0; n < 50; n += 1) await limits.takeCall(1n);
  await expect(limits.takeCall(1n)).rejects.toThrow(refused);
});

test('an account reads 600 single observations, then one every six seconds', async () => {
  const { clock, limits } = setUp();
  for (let n = 0; n < 600; n += 1) await limits.takeObservation(1n);
  await expect(limits.takeObservation(1n)).rejects.toThrow(
    expect.objectContaining({ code: 'rate_limited', headers: { 'retry-after': '6' } }),
  );
  await limits.takeObservation(2n);
  clock.ms = 6_000;
  await limits.takeObservation(1n);
  await expect(limits.takeObservation(1n)).rejects.toThrow(refused);
  clock.ms = 3_606_000;
  for (let n = 0; n < 600; n += 1) await limits.takeObservation(1n);
  await expect(limits.takeObservation(1n)).rejects.toThrow(refused);
});

test('bad keys of an address are refused as such 20 times, together or not; a good one does not count', async () => {
  const { clock, limits } = setUp();
  const isBad = new PublicError('invalid_api_key', 'no');
  const bad = (address: string) => limits.countFailures(address, () => Promise.reject(isBad));
  for (let n = 0; n < 30; n += 1) expect(await limits.countFailures('::1', async () => n)).toBe(n);
  const together = await Promise.allSettled(Array.from({ length: 60 }, () => bad('::1')));
  const reasons = together.map((one) => (one as PromiseRejectedResult).reason as PublicError);
  expect(reasons.map(({ status }) => status)).toEqual([...Array(20).fill(401), ...Array(40).fill(429)]);
  await expect(bad('::2')).rejects.toThrow(isBad);
  expect(await limits.countFailures('::1', async () => 'good')).toBe('good');
  clock.ms = 50;
  await expect(bad('::1')).rejects.toThrow(isBad);
  await expect(bad('::1')).rejects.toThrow(refused);
});

test('while the owner of a key cannot be determined, the call does not count as a failure of its address', async () => {
  const { limits } = setUp();
  const outage = new PublicError('service_unavailable', 'later');
  for (let n = 0; n < 60; n += 1)
    await expect(limits.countFailures('::1', () => Promise.reject(outage))).rejects.toThrow(outage);
});

test('an operation is polled five times a second', () => {
  const { limits } = setUp();
  for (let n = 0; n < 5; n += 1) limits.takePoll(1n, 9n);
  expect(() => limits.takePoll(1n, 9n)).toThrow(refused);
  limits.takePoll(2n, 9n);
});

test('more calls in flight than the gateway takes are 503, whichever account makes them', async () => {
  const { limits } = setUp({ maxInFlightCalls: 2 });
  const leave = [await limits.enter(1n), await limits.enter(2n)];
  await expect(limits.enter(3n)).rejects.toThrow(full);
  leave[0]?.();
  await limits.enter(3n);
});

test('the 65th call in flight of an account is 503, until one has ended', async () => {
  const { limits } = setUp();
  const leave = [];
  for (let n = 0; n < 64; n += 1) leave.push(await limits.enter(1n));
  await expect(limits.enter(1n)).rejects.toThrow(full);
  await limits.enter(2n);
  leave[0]?.();
  leave[0]?.();
  await limits.enter(1n);
  await expect(limits.enter(1n)).rejects.toThrow(full);
});
