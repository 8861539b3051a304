import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { bounded } from '../connector/unreadable.ts';
import { FetchFailed } from './errors.ts';

export interface WireAnswer {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly length: number | undefined;
}

const RESUMES = 4;
const CHUNK_BYTES = 256 * 1024;
/** Bytes that compression may add to content that it cannot compress. */
const PACKING_BYTES = 64 * 1024;
/** After this time an answer must have arrived at the rate below. */
const PATIENCE_MS = 60_000;
const LEAST_BYTES_A_SECOND = 1_024;

/** Yields bytes as sent. With `resume`, an interrupted answer resumes at its offset. */
export async function* wireBytes(
  first: WireAnswer,
  resume: ((from: number) => Promise<WireAnswer>) | undefined,
): AsyncGenerator<Uint8Array> {
  let answer = first;
  let offset = 0;
  for (let resumes = 0; ; resumes += 1) {
    const end = answer.length === undefined ? undefined : offset + answer.length;
    try {
      for await (const chunk of inTime(answer.bytes)) {
        offset += chunk.length;
        yield chunk;
      }
      if (end === undefined || offset >= end) return;
      throw new Error('it ended early');
    } catch (error) {
      if (error instanceof FetchFailed) throw error;
      const failure = new FetchFailed(`the answer broke off after ${offset} bytes`, { transient: true, cause: error });
      if (!resume || offset === 0 || resumes === RESUMES) throw failure;
      answer = await resume(offset);
    }
  }
}

/** An answer that arrives byte by byte would keep later sources waiting. */
async function* inTime(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts = bytes[Symbol.asyncIterator]();
  let size = 0;
  let waitedMs = 0;
  try {
    for (;;) {
      const from = performance.now();
      const next = await parts.next();
      waitedMs += performance.now() - from;
      if (next.done) return;
      size += next.value.length;
      if (waitedMs > PATIENCE_MS && size < (waitedMs / 1_000) * LEAST_BYTES_A_SECOND)
        throw new FetchFailed(`the answer came too slowly: ${size} bytes in ${Math.round(waitedMs / 1_000)} s`);
      yield next.value;
    }
  } finally {
    await parts.return?.();
  }
}

/** Throws TooLarge beyond `maxBytes` of output or input: some input decompresses to nothing. */
export async function* plainBody(
  wire: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  yield* bounded(decompressed(bounded(wire, maxBytes + PACKING_BYTES, 'answer'), encoding), maxBytes, 'answer');
}

function decompressed(wire: AsyncIterable<Uint8Array>, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const stage = decoderOf(encoding?.trim().toLowerCase());
  return stage ? (pipeline(Readable.from(wire), stage, () => undefined) as AsyncIterable<Uint8Array>) : wire;
}

function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ chunkSize: CHUNK_BYTES });
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new FetchFailed('the answer has an encoding that was not asked for');
  }
}
