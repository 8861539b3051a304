import { superlinearAsync } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { readCsv } from './csv.ts';

async function rowsOf(text: string): Promise<number> {
  let rows = 0;
  for await (const item of readCsv(documentOfText(text))) rows += item.type === 'row' ? 1 : 0;
  return rows;
}

const quotes = (size: number) => `a,b\r\n1,2\r\n3,4\n${'"'.repeat(size)}`;

test('only the broken row is refused, and a document without any other row is refused as a whole', async () => {
  expect(await rowsOf('a,b\r\n1,2\r\n3,4,5\r\n6,7\r\n')).toBe(2);
  await expect(rowsOf(quotes(10_000))).rejects.toThrow('more than 200 faults in a row');
});

test('quotes that nothing closes take time in proportion to their number', { tags: 'nightly' }, async () => {
  const read = (text: string) => rowsOf(text).catch(() => 0);
  expect(await superlinearAsync(quotes, read, { from: 4_096, to: 65_536 })).toBeUndefined();
});
