import { expect, test } from 'vitest';
import { shareWithInterval } from './wilson.ts';

test('a share comes with how sure it is, and stays between nothing and all', () => {
  expect(shareWithInterval(56, 59)).toBe('0.95 (0.86–0.98)');
  expect(shareWithInterval(7, 7)).toBe('1.00 (0.65–1.00)');
  expect(shareWithInterval(0, 3)).toBe('0.00 (0.00–0.56)');
  expect(shareWithInterval(0, 0)).toBe('–');
});
