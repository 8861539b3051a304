import { expect, test } from 'vitest';
import { ROWS, readRows } from './rows.ts';

test('parts are run in their order, all where none is named, and an unknown one is none', () => {
  expect(readRows(undefined)).toEqual(ROWS);
  expect(readRows('edges,policies')).toEqual(['policies', 'edges']);
  expect(readRows('policies,nobody')).toBeUndefined();
});
