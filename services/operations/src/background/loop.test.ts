import { expect, test } from 'vitest';
import { Loop } from './loop.ts';

test('a pass follows every pause, also after one that failed', async () => {
  let passes = 0;
  const errors: unknown[] = [];
  await using _ = new Loop(
    1,
    async () => {
      passes += 1;
      if (passes === 1) throw new Error('first');
    },
    (error) => errors.push(error),
  );
  await expect.poll(() => passes).toBeGreaterThan(2);
  expect(errors).toHaveLength(1);
});

test('passes never overlap, and a wake during one is not lost', async () => {
  const begun: (() => void)[] = [];
  const loop = new Loop(60_000, () => new Promise<void>((resolve) => begun.push(resolve)), fails);
  loop.wake();
  loop.wake();
  loop.wake();
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.();
  await loop[Symbol.asyncDispose]();
  loop.wake();
  expect(begun).toHaveLength(2);
});

function fails(error: unknown): void {
  throw error;
}
