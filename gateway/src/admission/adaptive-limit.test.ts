import { expect, test } from 'vitest';
import { AdaptiveLimit } from './adaptive-limit.ts';

/** Latency of a call among so many. */
type Machine = (running: number) => number;

const flat: Machine = () => 20;
/** `cores` calls side by side, more share them. */
const cores =
  (count: number, ms = 20): Machine =>
  (running) =>
    ms * Math.max(1, running / count);

function setUp({ least = 2, most = 1_000, tolerance = 1.5 } = {}) {
  const clock = { ms: 0 };
  const limit = new AdaptiveLimit({ least, most, tolerance, now: () => clock.ms });
  return {
    clock,
    limit,
    /** So many calls that always fill the limit, with more waiting unless said otherwise. */
    work(calls: number, machine: Machine, { action = 'search', waiting = true } = {}) {
      for (let call = 0; call < calls; call += 1) {
        if (waiting) limit.signalOverload();
        const ms = machine(limit.current);
        clock.ms += ms / limit.current;
        limit.observe(action, ms, limit.current);
      }
    },
    unloaded(calls: number, machine: Machine, action = 'search') {
      for (let call = 0; call < calls; call += 1) limit.observe(action, machine(1), 1);
    },
  };
}

test('more are admitted for as long as calls wait and take no longer', () => {
  const { limit, work, unloaded } = setUp({ most: 100 });
  unloaded(20, flat);
  work(2_000, flat);
  expect(limit.current).toBe(100);
});

test('while no call waits the limit stays', () => {
  const { limit, work, unloaded } = setUp();
  unloaded(20, flat);
  const before = limit.current;
  work(2_000, flat, { waiting: false });
  expect(limit.current).toBe(before);
});

test.each([2, 4, 8, 32])('on %i cores about as many are admitted as they do without slowing down by half', (count) => {
  const { limit, work, unloaded } = setUp();
  unloaded(20, cores(count));
  work(2_000, cores(count));
  const seen: number[] = [];
  for (let look = 0; look < 200; look += 1) {
    work(10, cores(count));
    seen.push(limit.current);
  }
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(count * 0.9);
  expect(Math.max(...seen)).toBeLessThanOrEqual(count * 2 + 4);
});

test('an action that takes ten times another one does not look like load', () => {
  const { limit, work, unloaded } = setUp({ most: 50 });
  unloaded(20, flat, 'look-up');
  unloaded(20, () => 200, 'search');
  work(500, flat, { action: 'look-up' });
  work(500, () => 200, { action: 'search' });
  expect(limit.current).toBe(50);
});

test('work that became dearer for good lowers the limit for a moment only', () => {
  const { limit, work, unloaded } = setUp({ most: 50 });
  unloaded(20, flat);
  work(500, flat);
  work(60, () => 200);
  expect(limit.current).toBeLessThan(50);
  work(1_000, () => 200);
  expect(limit.current).toBe(50);
});

test('a baseline that was measured while the service was slow is measured again under load', () => {
  const { limit, work, unloaded } = setUp();
  unloaded(20, () => 500);
  work(1_000, cores(4));
  const before = limit.current;
  work(20_000, cores(4));
  expect(before).toBeGreaterThan(40);
  expect(limit.current).toBeLessThanOrEqual(16);
});

test('measuring the baseline again under load halves the limit for a moment, no more', () => {
  const { limit, work, unloaded } = setUp({ most: 100 });
  unloaded(20, flat);
  work(2_000, flat);
  const seen: number[] = [];
  for (let call = 0; call < 200_000; call += 1) {
    work(1, flat);
    seen.push(limit.current);
  }
  expect(new Set(seen)).toEqual(new Set([100, 50]));
  expect(seen.filter((current) => current === 50).length).toBeLessThan(200);
});

test('a limit never leaves its bounds', () => {
  const { limit, work, unloaded } = setUp({ least: 3, most: 5 });
  unloaded(20, flat);
  work(500, flat);
  expect(limit.current).toBe(5);
  work(16, () => 10_000);
  expect(limit.current).toBe(3);
});
