import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TooLarge } from '../extract/text.ts';

/** What is unpacked at a time, in bytes. */
const CHUNK_BYTES = 256 * 1024;
/** What a file may unpack to, in bytes: so much whatever its size, and so many times its size, several times what text packs to. */
const UNPACKED = { bytes: 64 * 1024 * 1024, times: 200 };

/** The bytes of a `.gz`, of which `packed` were read so far. Throws TooLarge for what unpacks to more than text does: it is made to fill what reads it. */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>, packed: () => number): AsyncGenerator<Uint8Array> {
  const plain = pipeline(Readable.from(bytes), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let size = 0;
  for await (const chunk of plain as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > UNPACKED.bytes && size > packed() * UNPACKED.times)
      throw new TooLarge(`the file unpacks to more than ${UNPACKED.times} times its size`);
    yield chunk;
  }
}
