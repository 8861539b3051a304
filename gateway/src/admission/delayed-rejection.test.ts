import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HeldRefusals } from './delayed-rejection.ts';

test('refusals are answered late, and not all at once', async () => {
  const refusals = new HeldRefusals(100);
  const begun = performance.now();
  const times = await Promise.all(
    Array.from({ length: 200 }, async () => {
      await refusals.wait();
      return performance.now() - begun;
    }),
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(49);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(50);
});

test('no more are held than there is room for, and without a time none is', async () => {
  const answered = { held: 0, free: 0 };
  const hold = async (refusals: HeldRefusals, kind: keyof typeof answered) => {
    await refusals.wait();
    answered[kind] += 1;
  };
  const [held, free] = [new HeldRefusals(500), new HeldRefusals(0)];
  const waiting = Array.from({ length: 5_100 }, () => hold(held, 'held'));
  const passing = Array.from({ length: 10 }, () => hold(free, 'free'));
  await soon();
  expect(answered).toEqual({ held: 100, free: 10 });
  await Promise.all([...waiting, ...passing]);
});
