import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TooLarge } from '../connector/unreadable.ts';

const CHUNK_BYTES = 256 * 1024;
/** A fixed size, or a multiple of the file's, well above the ratio of text. */
const UNPACKED = { bytes: 64 * 1024 * 1024, times: 200 };

/** `packed`: bytes read so far. Throws TooLarge for a bomb. */
export async function* decompressed(
  bytes: AsyncIterable<Uint8Array>,
  packed: () => number,
): AsyncGenerator<Uint8Array> {
  const plain = pipeline(Readable.from(bytes), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let size = 0;
  for await (const chunk of plain as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > UNPACKED.bytes && size > packed() * UNPACKED.times)
      throw new TooLarge(`the file unpacks to more than ${UNPACKED.times} times its size`);
    yield chunk;
  }
}
