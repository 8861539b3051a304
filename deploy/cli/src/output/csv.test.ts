import { expect, test } from 'vitest';
import { csv } from './csv.ts';

test('fields with a comma, a quote or a line end are quoted, and a quote inside is doubled', () => {
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

test('a text that a spreadsheet would run is made harmless, and a number below zero stays one', () => {
  for (const text of ['=1+1', '+1', '-2+3', '@SUM(A1)', '\t=1', '＝1'])
    expect(csv(['a'], [[text]])).toBe(`a\n'${text}`);
  expect(csv(['a'], [['=1\nsecond line']])).toBe('a\n"\'=1\nsecond line"');
  expect(csv(['a', 'b'], [[-3, 'a-b']])).toBe('a,b\n-3,a-b');
});
