import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DelayedRejections } from './delayed-rejection.ts';

test('rejections are answered late, and not all at once', async () => {
  const rejections = new DelayedRejections(100);
  const begun = performance.now();
  const times = await Promise.all(
    Array.from({ length: 200 }, async () => {
      await rejections.wait();
      return performance.now() - begun;
    }),
  );
  expect(Math.min(...times)).toBeGreaterThanOrEqual(49);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(50);
});

test('no more are delayed than there is room for, and without a delay none is', async () => {
  const answered = { delayed: 0, immediate: 0 };
  const reject = async (rejections: DelayedRejections, kind: keyof typeof answered) => {
    await rejections.wait();
    answered[kind] += 1;
  };
  const [delayed, immediate] = [new DelayedRejections(500), new DelayedRejections(0)];
  const waiting = Array.from({ length: 5_100 }, () => reject(delayed, 'delayed'));
  const passing = Array.from({ length: 10 }, () => reject(immediate, 'immediate'));
  await soon();
  expect(answered).toEqual({ delayed: 100, immediate: 10 });
  await Promise.all([...waiting, ...passing]);
});
