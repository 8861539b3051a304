import { superlinearAsync } from '@ces/test/support/growth.ts';
import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { MAX_RECORD_BYTES } from '../../connector/source.ts';
import { readXmlElements } from './xml.ts';

async function elementsOf(text: string, pieceSize: number): Promise<string[]> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, index) =>
    bytes.subarray(index * pieceSize, (index + 1) * pieceSize),
  );
  const found: string[] = [];
  const document = { ...documentOfText(''), body: streamed(pieces) };
  for await (const element of readXmlElements(document, 'a:r')) found.push(element);
  return found;
}

async function* streamed(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

test.each([1, 2, 3, 7, 1_000])('elements are the same in pieces of %i bytes', async (pieceSize) => {
  const text = '<a:rs><a:r x="é">1</a:r>\n<a:r>2</a:r><a:rest>3</a:rest><a:r\n>4</a:r></a:rs>';
  expect(await elementsOf(text, pieceSize)).toEqual(['<a:r x="é">1</a:r>', '<a:r>2</a:r>', '<a:r\n>4</a:r>']);
});

test('an element without an end is no element, and one beyond the bound of a record ends the document', async () => {
  expect(await elementsOf('<a:r>1</a:r><a:r>2', 5)).toEqual(['<a:r>1</a:r>']);
  await expect(elementsOf(`<a:r>${'x'.repeat(MAX_RECORD_BYTES)}`, 65_536)).rejects.toThrow('is larger than');
});

test.each([
  ['text without elements', (size: number) => 'x'.repeat(size)],
  ['tags that only begin alike', (size: number) => '<a:rs>'.repeat(size / 8)],
  ['an element that does not end', (size: number) => `<a:r>${'<'.repeat(size)}`],
  ['elements that are empty', (size: number) => '<a:r></a:r>'.repeat(size / 16)],
])('%s take time in proportion to their length', { tags: 'nightly' }, async (_, make) => {
  const read = (text: string) => elementsOf(text, 4_096).then(({ length }) => length);
  expect(await superlinearAsync(make, read, { from: 65_536, to: 1_048_576 })).toBeUndefined();
});
