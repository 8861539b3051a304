import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('another library reads the written file', () => {
  const rows = [
    { name: 'Ann "A" Co, Ltd.', excerpt: 'two\nlines', confidence: '0.7' },
    { name: 'Éric & Cie', excerpt: '', confidence: '1' },
  ];
  expect(parse(toCsv(['name', 'excerpt', 'confidence'], rows), { columns: true, bom: true })).toEqual(rows);
});

test('a text that a spreadsheet would run is made harmless', () => {
  const harmful = [
    '=HYPERLINK("http://x")',
    '+1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '=1+1\nsecond line',
    '=1\u2028',
    '＝1',
    '－1',
    '＋1',
    '＠A1',
  ];
  const cells = harmful.map((text) => parse(toCsv(['cell'], [{ cell: text }]), { columns: true, bom: true }));
  expect(cells).toEqual(harmful.map((text) => [{ cell: `'${text}` }]));
});

test('no value and no rows leave their header', () => {
  expect(toCsv(['a', 'b'], [])).toBe('\uFEFFa,b\r\n');
  expect(toCsv(['a', 'b'], [{ a: null, b: undefined }])).toBe('\uFEFFa,b\r\n,\r\n');
});

test('a spreadsheet reads the file as UTF-8, because it begins with a byte order mark', () => {
  expect([...new TextEncoder().encode(toCsv(['é'], []))].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
});
