import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { TooLarge } from '../connector/unreadable.ts';
import { plainBody, wireBytes } from './body.ts';
import { FetchFailed } from './errors.ts';

const MAX_BYTES = 1024 * 1024;

async function sizeOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return size;
}

async function* endless(part: Uint8Array, state: { sent: number }, before?: () => void): AsyncGenerator<Uint8Array> {
  for (; state.sent < 100 * MAX_BYTES; state.sent += part.length) {
    before?.();
    yield part;
  }
}

test('the decompressed size is bounded, and so is the compressed size, as with empty gzip members', async () => {
  const state = { sent: 0 };
  const nothing = Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync('')));
  await expect(sizeOf(plainBody(endless(nothing, state), 'gzip', MAX_BYTES))).rejects.toThrow(TooLarge);
  expect(state.sent).toBeLessThan(3 * MAX_BYTES);
});

test('an answer of the greatest size is read, packed or not', async () => {
  const whole = Buffer.from(Array.from({ length: MAX_BYTES }, (_, at) => (at * 7919) % 251));
  const once = async function* (bytes: Uint8Array) {
    yield bytes;
  };
  expect(await sizeOf(plainBody(once(whole), undefined, MAX_BYTES))).toBe(MAX_BYTES);
  expect(await sizeOf(plainBody(once(gzipSync(whole, { level: 0 })), 'gzip', MAX_BYTES))).toBe(MAX_BYTES);
});

test('an answer that arrives byte by byte is aborted and not requested again', async () => {
  let now = 0;
  using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const later = (ms: number) => () => {
    now += ms;
  };
  const slow = { sent: 0 };
  const resume = () => Promise.reject(new Error('asked for anew'));
  const dripping = wireBytes({ bytes: endless(Buffer.alloc(1), slow, later(20_000)), length: undefined }, resume);
  await expect(sizeOf(dripping)).rejects.toThrow(FetchFailed);
  expect(slow.sent).toBeLessThan(10);
  const steady = { sent: 0 };
  const hours = wireBytes({ bytes: endless(Buffer.alloc(65_536), steady, later(20_000)), length: undefined }, resume);
  expect(await sizeOf(hours)).toBe(100 * MAX_BYTES);
});
