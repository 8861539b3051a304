import { expect, test } from 'vitest';
import { linkedPage } from './linked-page.ts';

test('a link shows its contents before the key is entered', () => {
  expect(linkedPage('/companies/7', 'operation=3')).toBe('company 7');
  expect(linkedPage('/operations/9', '')).toBe('operation 9 of your account');
  expect(linkedPage('/', 'q=salt&limit=5')).toBe('a search for “salt”');
});

test('the start page and unknown addresses show nothing of their own', () => {
  expect(linkedPage('/', '')).toBeUndefined();
  expect(linkedPage('/nowhere', '')).toBeUndefined();
});
