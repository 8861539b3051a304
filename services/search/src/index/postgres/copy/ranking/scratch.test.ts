import { expect, test } from 'vitest';
import { Scratch } from './scratch.ts';

test('two of one ranking are apart', () => {
  const scratch = new Scratch();
  scratch.begin();
  expect(scratch.places(3).values).not.toBe(scratch.places(3).values);
  expect(scratch.marks(3).values).not.toBe(scratch.marks(3).values);
  expect(scratch.floats(3).buffer).not.toBe(scratch.floats(3).buffer);
  expect(scratch.integers(3).buffer).not.toBe(scratch.integers(3).buffer);
  expect([scratch.floats(3).length, scratch.integers(3).length]).toEqual([3, 3]);
});

test('what is lent again is the same memory, as long as it is long enough', () => {
  const scratch = new Scratch();
  scratch.begin();
  const { values } = scratch.places(100);
  scratch.begin();
  expect(scratch.places(110).values).toBe(values);
  scratch.begin();
  expect(scratch.places(1_000).values.length).toBeGreaterThanOrEqual(1_000);
});

test('nothing of a ranking is left to the next ones, however many there are', () => {
  const scratch = new Scratch();
  for (let ranking = 0; ranking < 1_000; ranking += 1) {
    scratch.begin();
    const places = scratch.places(8_000_000);
    const marks = scratch.marks(3);
    expect(places.values[7_999_999]).toBeLessThan(places.base);
    expect(places.base + 8_000_000).toBeLessThan(2 ** 31);
    expect(marks.values[2]).not.toBe(marks.mark);
    places.values[7_999_999] = places.base + 8_000_000;
    marks.values[2] = marks.mark;
  }
});
