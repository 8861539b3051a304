import { expect, test } from 'vitest';
import { Scratch } from './scratch.ts';

test('arrays of one ranking are apart, and those of the next begin anew', () => {
  const scratch = new Scratch();
  scratch.begin();
  const [one, other] = [scratch.ints(3), scratch.ints(2)];
  one.fill(7);
  other.fill(8);
  expect([...one, ...other]).toEqual([7, 7, 7, 8, 8]);
  scratch.floats(2, Number.NaN).fill(9);
  scratch.begin();
  expect([...scratch.ints(2), ...scratch.ints(4)]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...scratch.floats(3, -1)]).toEqual([-1, -1, -1]);
});

test('what is lent again is the same memory, as long as it is long enough', () => {
  const scratch = new Scratch();
  scratch.begin();
  const { buffer } = scratch.bytes(100);
  scratch.begin();
  expect(scratch.bytes(110).buffer).toBe(buffer);
  scratch.begin();
  expect(scratch.bytes(1_000).buffer).not.toBe(buffer);
});

test('long arrays are zeros too, each time', () => {
  const scratch = new Scratch();
  scratch.begin();
  scratch.ints(300_000).fill(1);
  scratch.begin();
  expect(scratch.ints(300_000).every((value) => value === 0)).toBe(true);
});
