import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOfText } from '../../../test-support/read-file.ts';
import { Undecodable } from '../../connector/unreadable.ts';
import { readHead } from './head.ts';

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

test('at most twice the needed head is read, and the document is still read from its beginning', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), async (text, size) => {
      const bytes = Buffer.from(text);
      const given = { ...documentOfText(''), body: inPieces(bytes, size) };
      const { head, document } = await readHead(given, (read) => read.includes('e'), 10);
      expect(head.length).toBeLessThanOrEqual(10 + size);
      if (head.includes('e'))
        expect(head.slice(0, Math.max(0, Math.floor((head.length - size) / 2)))).not.toContain('e');
      expect(await textOf(document.body)).toBe(bytes.toString());
    }),
  );
});

test('a charset that cannot be read safely is refused', async () => {
  const given = documentOfText('[1]', { contentType: 'text/plain; charset=iso-2022-kr' });
  await expect(readHead(given, () => false, 10)).rejects.toThrow(Undecodable);
});
