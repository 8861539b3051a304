import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompressed } from './read-file.ts';

async function sizeOf(packed: Buffer): Promise<number> {
  let read = 0;
  const parts = async function* () {
    for (let at = 0; at < packed.length; at += 4096) {
      const part = packed.subarray(at, at + 4096);
      read += part.length;
      yield part;
    }
  };
  let size = 0;
  for await (const chunk of decompressed(parts(), () => read)) size += chunk.length;
  return size;
}

test('a file that unpacks to hundreds of times its size is not read to its end', async () => {
  await expect(sizeOf(gzipSync(Buffer.alloc(80 * 1024 * 1024)))).rejects.toThrow('more than 200 times its size');
});

test('one of text is, and a small one whatever is in it', async () => {
  const text = Buffer.from(
    Array.from({ length: 1_000_000 }, (_, at) => `${at},${(at * 7919) % 104_729},a word and another\n`)
      .join('')
      .repeat(3),
  );
  expect(text.length).toBeGreaterThan(64 * 1024 * 1024);
  expect(await sizeOf(gzipSync(text, { level: 1 }))).toBe(text.length);
  expect(await sizeOf(gzipSync(Buffer.alloc(60 * 1024 * 1024)))).toBe(60 * 1024 * 1024);
});
