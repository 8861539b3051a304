import { expect, test } from 'vitest';
import { growthOf, readMemory, type Sight } from './memory.ts';

const sight = (minutes: number, resident: number): Sight => ({
  minutes,
  programs: { gateway: { resident, proportional: resident } },
});

test('growth is told in MiB an hour', () => {
  expect(growthOf([sight(0, 100), sight(30, 110), sight(60, 120)], 'gateway')).toBeCloseTo(20);
  expect(growthOf([sight(0, 100), sight(30, 100)], 'gateway')).toBe(0);
  expect(growthOf([sight(7, 100)], 'gateway')).toBe(0);
});

test('the memory of a running process is read', async () => {
  const { resident, proportional } = await readMemory(process.pid);
  expect(resident).toBeGreaterThan(10);
  expect(proportional).toBeGreaterThan(0);
  expect(proportional).toBeLessThanOrEqual(resident);
});
