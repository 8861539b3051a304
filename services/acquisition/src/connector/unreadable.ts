/** Bytes are invalid in their charset. Decoding them would put U+FFFD into the text. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';

  constructor(charset: string) {
    super(`the document holds bytes that are not ${charset}: publish it in the charset that it declares, or in UTF-8`);
  }
}

/** A document or record exceeds its bound. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  what: 'answer' | 'document',
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLarge(`the ${what} is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}
