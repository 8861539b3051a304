import { expect, test } from 'vitest';
import { csv } from './csv.ts';

test('fields that hold a comma, a quote or a line end stand in quotes, and a quote inside is doubled', () => {
  const rows = [
    [1, 'plain', null],
    [2, 'a, "b"\nc', undefined],
    [-3, '', ' kept '],
  ];
  expect(csv(['id', 'text', 'more'], rows)).toBe('id,text,more\n1,plain,\n2,"a, ""b""\nc",\n-3,, kept ');
});

test('without rows the heading is left', () => {
  expect(csv(['id', 'a "text"'], [])).toBe('id,"a ""text"""');
});
