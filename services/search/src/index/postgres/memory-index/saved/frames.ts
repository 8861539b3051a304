import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';

/** A file of frames. Each has its length, its checksum, and a value or the bytes of an array. */
export interface FrameWriter {
  /** The array must not change until the promise settles. */
  array(values: ArrayBufferView): Promise<void>;
  value(value: unknown): Promise<void>;
}

/** Frames are read in the order in which they were written. */
export interface FrameReader {
  array<T>(type: new (buffer: ArrayBuffer) => T): Promise<T>;
  value<T>(): Promise<T>;
  /** Throws DamagedFile if there are more frames. */
  end(): void;
}

/** The file ends early, has more than its reader knows, or holds other bytes than were written. */
class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

const HEAD_BYTES = 8;
const CHECKSUM_AT = 4;

/** Replaces the file as soon as all frames are on disk, so that a reader never sees a part. */
export async function writeFrames(path: string, write: (to: FrameWriter) => Promise<void>): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    await using file = await open(unfinished, 'w', 0o600);
    const array = async (values: ArrayBufferView) => {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(bytes.length);
      head.writeUInt32LE(crc32(bytes), CHECKSUM_AT);
      await file.writeFile(head);
      await file.writeFile(bytes);
    };
    await write({ array, value: (value) => array(serialize(value)) });
    await file.sync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rename(unfinished, path);
}

/** Throws DamagedFile, or what the system or `read` throws. */
export async function readFrames<T>(path: string, read: (from: FrameReader) => Promise<T>): Promise<T> {
  await using file = await open(path);
  const { size } = await file.stat();
  let at = 0;
  const take = async (length: number) => {
    if (at + length > size) throw new DamagedFile(`${path} ends early`);
    const bytes = Buffer.from(new ArrayBuffer(length));
    await readFully(file, bytes, at);
    at += length;
    return bytes;
  };
  const frame = async () => {
    const head = await take(HEAD_BYTES);
    const bytes = await take(head.readUInt32LE());
    if (crc32(bytes) !== head.readUInt32LE(CHECKSUM_AT)) throw new DamagedFile(`${path} has a wrong checksum`);
    return bytes;
  };
  return await read({
    array: async (type) => new type((await frame()).buffer),
    value: async () => deserialize(await frame()),
    end: () => {
      if (at < size) throw new DamagedFile(`${path} has more than expected`);
    },
  });
}

async function readFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new DamagedFile('the file became shorter while it was read');
    done += bytesRead;
  }
}
