import { expect, test } from 'vitest';
import { BufferPool } from './buffer-pool.ts';

test('two of one ranking are apart', () => {
  const buffers = new BufferPool();
  buffers.releaseAll();
  expect(buffers.slots(3).values).not.toBe(buffers.slots(3).values);
  expect(buffers.marks(3).values).not.toBe(buffers.marks(3).values);
  expect(buffers.floats(3).buffer).not.toBe(buffers.floats(3).buffer);
  expect(buffers.integers(3).buffer).not.toBe(buffers.integers(3).buffer);
  expect([buffers.floats(3).length, buffers.integers(3).length]).toEqual([3, 3]);
});

test('a buffer acquired again is the same memory, as long as it is large enough', () => {
  const buffers = new BufferPool();
  buffers.releaseAll();
  const { values } = buffers.slots(100);
  buffers.releaseAll();
  expect(buffers.slots(110).values).toBe(values);
  buffers.releaseAll();
  expect(buffers.slots(1_000).values.length).toBeGreaterThanOrEqual(1_000);
});

test('nothing of a ranking is left to the next ones, however many there are', () => {
  const buffers = new BufferPool();
  for (let ranking = 0; ranking < 1_000; ranking += 1) {
    buffers.releaseAll();
    const slots = buffers.slots(8_000_000);
    const marks = buffers.marks(3);
    expect(slots.values[7_999_999]).toBeLessThan(slots.base);
    expect(slots.base + 8_000_000).toBeLessThan(2 ** 31);
    expect(marks.values[2]).not.toBe(marks.mark);
    slots.values[7_999_999] = slots.base + 8_000_000;
    marks.values[2] = marks.mark;
  }
});
