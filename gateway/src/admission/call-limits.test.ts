import { expect, test } from 'vitest';
import { CallLimits } from './call-limits.ts';
import { TokenBuckets } from './token-buckets.ts';

const settings = {
  credentialCallsPerSecond: 50,
  credentialBurst: 100,
  addressFailuresPerSecond: 20,
  accountCallsInFlight: 64,
  callsInFlight: 1000,
  pollsPerSecond: 5,
  refusalHoldMs: 0,
};
const refused = expect.objectContaining({ code: 'rate_limited', status: 429 });

function setUp() {
  const clock = { ms: 0 };
  return { clock, limits: new CallLimits(settings, () => clock.ms) };
}

test('a bucket gives its burst at once and then so many a second', () => {
  const clock = { ms: 0 };
  const buckets = new TokenBuckets({ perSecond: 2, burst: 3, now: () => clock.ms });
  expect([1, 2, 3, 4].map(() => buckets.take('a'))).toEqual([0, 0, 0, 1]);
  clock.ms = 500;
  expect([buckets.take('a'), buckets.take('a'), buckets.take('b')]).toEqual([0, 1, 0]);
  clock.ms = 60_000;
  expect([1, 2, 3, 4].map(() => buckets.take('a'))).toEqual([0, 0, 0, 1]);
});

test('a credential makes 100 calls at once and 50 a second', () => {
  const { clock, limits } = setUp();
  for (let n = 0; n < 100; n += 1) limits.takeCall(1n);
  expect(() => limits.takeCall(1n)).toThrow(refused);
  limits.takeCall(2n);
  clock.ms = 1_000;
  for (let n = 0; n < 50; n += 1) limits.takeCall(1n);
  expect(() => limits.takeCall(1n)).toThrow(refused);
});

test('an address that failed 20 times is refused until a second has passed a twentieth', () => {
  const { clock, limits } = setUp();
  for (let n = 0; n < 20; n += 1) limits.countFailedAuthentication('::1');
  expect(() => limits.checkAddress('::1')).toThrow(refused);
  limits.checkAddress('::2');
  clock.ms = 50;
  limits.checkAddress('::1');
});

test('an operation is polled five times a second', () => {
  const { limits } = setUp();
  for (let n = 0; n < 5; n += 1) limits.takePoll(1n, 9n);
  expect(() => limits.takePoll(1n, 9n)).toThrow(refused);
  limits.takePoll(2n, 9n);
});

test('more calls in flight than the gateway takes are 503, whichever account makes them', () => {
  const limits = new CallLimits({ ...settings, callsInFlight: 2 }, () => 0);
  const leave = [limits.enter(1n), limits.enter(2n)];
  expect(() => limits.enter(3n)).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
  leave[0]?.();
  limits.enter(3n);
});

test('the 65th call in flight of an account is 503, until one has ended', () => {
  const { limits } = setUp();
  const leave = Array.from({ length: 64 }, () => limits.enter(1n));
  const full = expect.objectContaining({ code: 'service_unavailable', status: 503, headers: { 'retry-after': '2' } });
  expect(() => limits.enter(1n)).toThrow(full);
  limits.enter(2n);
  leave[0]?.();
  leave[0]?.();
  limits.enter(1n);
  expect(() => limits.enter(1n)).toThrow(full);
});
