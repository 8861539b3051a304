/** Most bytes of one answer that are handed over. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024;

const REDACTED = '[secret]';

/** The bytes of an answer that were read so far. */
export interface Recording {
  /** At most MAX_RECORDED_BYTES of them, with every secret taken out. */
  bytes(): Uint8Array;
  /** True: the answer went on behind them. */
  isCut(): boolean;
}

/** A body that remembers what is read of it; `secrets`: texts that a source may repeat in its answer. */
export function recorded(
  body: AsyncIterable<Uint8Array>,
  secrets: readonly string[],
): { readonly body: AsyncIterable<Uint8Array>; readonly recording: Recording } {
  const chunks: Uint8Array[] = [];
  let size = 0;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (size < MAX_RECORDED_BYTES) chunks.push(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return {
    body: passed(),
    recording: {
      bytes: () => withoutSecrets(Buffer.concat(chunks).subarray(0, MAX_RECORDED_BYTES), secrets),
      isCut: () => size > MAX_RECORDED_BYTES,
    },
  };
}

/** Byte for byte, so that what is no text stays what it is. */
function withoutSecrets(bytes: Buffer, secrets: readonly string[]): Uint8Array {
  let text = bytes.toString('latin1');
  for (const secret of secrets) text = text.replaceAll(Buffer.from(secret).toString('latin1'), REDACTED);
  return Buffer.from(text, 'latin1');
}
