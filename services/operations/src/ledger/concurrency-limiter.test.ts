import { expect, test } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

test('at most so many calls for one id run at once, and every one runs', async () => {
  const limiter = new ConcurrencyLimiter(2);
  const releases: (() => void)[] = [];
  const order: number[] = [];
  const calls = [0, 1, 2, 3].map((number) =>
    limiter.run(1n, async () => {
      order.push(number);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (number === 1) throw new Error('this one fails');
    }),
  );
  const settled = Promise.allSettled(calls);
  const other = limiter.run(2n, async () => 'another id does not wait');
  expect(await other).toBe('another id does not wait');
  expect(order).toEqual([0, 1]);
  for (const expected of [3, 4]) {
    releases.shift()?.();
    await expect.poll(() => order.length).toBe(expected);
  }
  for (const release of releases) release();
  expect((await settled).map((call) => call.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(order).toEqual([0, 1, 2, 3]);
});
