import { expect, test } from 'vitest';
import { growthOf, type MemorySample, readMemory } from './memory.ts';

const sample = (minutes: number, resident: number): MemorySample => ({
  minutes,
  programs: { gateway: { resident, proportional: resident } },
});

test('growth is in MiB an hour', () => {
  expect(growthOf([sample(0, 100), sample(30, 110), sample(60, 120)], 'gateway')).toBeCloseTo(20);
  expect(growthOf([sample(0, 100), sample(30, 100)], 'gateway')).toBe(0);
  expect(growthOf([sample(7, 100)], 'gateway')).toBe(0);
});

test('the memory of a running process is read', async () => {
  const { resident, proportional } = await readMemory(process.pid);
  expect(resident).toBeGreaterThan(10);
  expect(proportional).toBeGreaterThan(0);
  expect(proportional).toBeLessThanOrEqual(resident);
});
